package dev.medley.loop.continuous;

import dev.medley.base.Seeds;
import dev.medley.loop.run.Loop;
import dev.medley.loop.run.Staying;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.StageRunner;
import dev.medley.loop.state.LoopRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;

/** Holds a loop over files whose rows arrive while it stays. */
final class ArrivingRows {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    final HandClock clock = new HandClock();
    private final Path folder;

    ArrivingRows(Path folder) throws IOException {
        this.folder = folder;
        write("promote: {metric: auc, newest: 20%}", "");
    }

    void write(String promote, String more) throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: flow
                seed: 7
                data: {train: the-loops, label: y}
                model: {family: mlp, hidden: [16], dropout: 0.1}
                train: {epochs: 8, batch: 32, optimizer: {kind: adamw, learning_rate: 0.01}}
                cluster: {workers: 1}
                """);
        Files.writeString(
                file(),
                """
                name: flow
                sources:
                  things: {files: "things-*.csv", key: id, types: {x: real, w: real, t: datetime}}
                rows:
                  sql: SELECT id, t, x, w, c, y FROM things
                  key: id
                  at: t
                  label: y
                job: job.yaml
                every: 24h
                continuous: {delay: 1m, publish: 10m}
                %s
                %s
                """
                        .formatted(promote, more));
    }

    Path file() {
        return folder.resolve("flow.yaml");
    }

    Loop open() {
        return new Loop(LoopFile.read(file()), System::getenv, clock);
    }

    /** Rows from one number to another; {@code sign} below 0 turns round what x means. */
    void rows(int from, int to, int sign) throws IOException {
        RandomGenerator random = Seeds.generator(from + 1);
        StringBuilder rows = new StringBuilder("id,t,x,w,c,y\n");
        for (int i = from; i < to; i++) {
            double x = random.nextGaussian();
            boolean isYes = (x * sign > 0) ^ (random.nextInt(10) == 0);
            rows.append(row(i, "%.4f".formatted(x), "abc".charAt(random.nextInt(3)), isYes));
        }
        Files.writeString(folder.resolve("things-%d.csv".formatted(from)), rows);
    }

    static String row(int number, String x, char category, boolean isYes) {
        return "%d,%s,%s,%.4f,%s,%s\n"
                .formatted(
                        number,
                        START.plus(number, ChronoUnit.HOURS).toString().replace("Z", ""),
                        x,
                        number % 7 / 7.0,
                        category,
                        isYes ? "yes" : "no");
    }

    void text(String name, String rows) throws IOException {
        Files.writeString(folder.resolve("things-" + name + ".csv"), "id,t,x,w,c,y\n" + rows);
    }

    RunningStanding look() throws IOException {
        try (Loop loop = open();
                Staying staying = loop.staying(new Quiet())) {
            return staying.look(ContinuousLearner.Told.NOBODY);
        }
    }

    LoopRun run() throws IOException, InterruptedException {
        try (Loop loop = open()) {
            return loop.run("by hand", new Quiet());
        }
    }

    LoopRun publish() throws IOException, InterruptedException {
        try (Loop loop = open();
                Staying staying = loop.staying(new Quiet())) {
            return staying.publish();
        }
    }

    int production() {
        try (Loop loop = open()) {
            return loop.models().production().orElse(0);
        }
    }

    String decision(String kind) {
        try (Loop loop = open()) {
            return loop.state().decisions(99).stream()
                    .filter(d -> d.kind().equals(kind))
                    .map(d -> d.verdict() + ": " + d.why())
                    .findFirst()
                    .orElse("");
        }
    }

    byte[] state() throws IOException {
        Path models = folder.resolve("flow.loop/continuous");
        try (var there = Files.list(models)) {
            Path last =
                    there.max(
                                    (a, b) ->
                                            Long.compare(
                                                    Long.parseLong(a.getFileName().toString()),
                                                    Long.parseLong(b.getFileName().toString())))
                            .orElseThrow();
            return Files.readAllBytes(last.resolve("state.safetensors"));
        }
    }

    /** Hears nothing. */
    static class Quiet implements StageRunner.Listener {
        @Override
        public void began(LoopRun run, boolean isTakenUp) {}

        @Override
        public void stage(String name) {}

        @Override
        public void progress(String text) {}

        @Override
        public void ended(String name, StageEnd end) {}
    }
}
