package dev.medley.loop.run;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.StageRunner;
import dev.medley.loop.state.DecisionRecord;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A loop over a few files in a folder, for tests. */
final class SmallLoop {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Path folder;

    SmallLoop(Path folder) {
        this.folder = folder;
    }

    LoopRun run() throws IOException, InterruptedException {
        return run(file());
    }

    /** As a file says. */
    static LoopRun run(Path file) throws IOException, InterruptedException {
        try (Loop loop = open(file)) {
            return loop.run("by hand", new CutAt(""));
        }
    }

    Loop open() throws IOException {
        return open(file());
    }

    /** The file as it was written last. */
    private Path file() throws IOException {
        Path file = folder.resolve("small.yaml");
        return Files.exists(file) ? file : loopFile("");
    }

    /** As a file says. */
    static Loop open(Path file) {
        return GivenLoop.opened(LoopFile.read(file), System::getenv);
    }

    Path loopFile(String more) throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: small
                data: {train: the-loops, label: y}
                model: {family: boosting, rounds: 8}
                cluster: {workers: 1}
                """);
        return Files.writeString(
                folder.resolve("small.yaml"),
                """
                name: small
                sources:
                  things: {files: "things-*.csv", key: id, types: {x: real, w: real, t: datetime}}
                rows:
                  sql: SELECT id, t, x, w, c, y FROM things
                  key: id
                  at: t
                  label: y
                job: job.yaml
                retrain: {drift: true}
                promote: {metric: auc, newest: 20%%}
                %s
                """
                        .formatted(more));
    }

    /** LearntRows from one number to another, whose x is higher by {@code shift}. */
    void write(int from, int to, double shift) throws IOException {
        RandomGenerator random = Seeds.generator(from + 1);
        StringBuilder rows = new StringBuilder("id,t,x,w,c,y\n");
        for (int i = from; i < to; i++) {
            double x = random.nextGaussian();
            boolean isYes = (x > 0) ^ (shift > 0) ^ (random.nextInt(10) == 0);
            rows.append(
                    "%d,%s,%.4f,%.4f,%s,%s\n"
                            .formatted(
                                    i,
                                    START.plus(i, ChronoUnit.HOURS).toString().replace("Z", ""),
                                    x + shift,
                                    random.nextGaussian(),
                                    "abc".charAt(random.nextInt(3)),
                                    isYes ? "yes" : "no"));
        }
        Files.writeString(folder.resolve("things-%d.csv".formatted(from)), rows);
    }

    String decision(long run, String kind) throws IOException {
        try (Loop loop = open()) {
            return loop.state().decisions(99).stream()
                    .filter(d -> d.run() == run && d.kind().equals(kind))
                    .map((DecisionRecord d) -> d.verdict() + ": " + d.why())
                    .findFirst()
                    .orElse("");
        }
    }

    StageRecord stage(long run, String name) throws IOException {
        try (Loop loop = open()) {
            return found(loop, run, name).orElseThrow();
        }
    }

    static Optional<StageRecord> found(Loop loop, long run, String name) {
        return loop.state().stages(run).stream().filter(s -> s.name().equals(name)).findFirst();
    }

    static LearntRows rows(Loop loop, long run) {
        return Json.bind(found(loop, run, "rows").orElseThrow().result(), LearntRows.class);
    }

    static long asOf(Loop loop, long run) {
        return found(loop, run, "known").orElseThrow().result().path("asOfMs").longValue();
    }

    List<String> stages() throws IOException {
        try (Loop loop = open()) {
            return loop.stageNames();
        }
    }

    /** Ends as a killed process would, when a stage begins. */
    static final class CutAt implements StageRunner.Listener {
        private final String stage;

        CutAt(String stage) {
            this.stage = stage;
        }

        @Override
        public void began(LoopRun run, boolean isTakenUp) {}

        @Override
        public void stage(String name) {
            if (name.equals(stage)) {
                throw new AssertionError("killed in " + name);
            }
        }

        @Override
        public void progress(String text) {}

        @Override
        public void ended(String name, StageEnd end) {}
    }
}
