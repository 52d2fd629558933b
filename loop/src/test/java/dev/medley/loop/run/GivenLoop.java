package dev.medley.loop.run;

import dev.medley.api.agent.InProcessWorkers;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.spec.LoopSpec;
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
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Holds a small loop over files, whose rows can be turned round. */
final class GivenLoop {
    static final int ROWS = 600;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Path folder;
    private String promote = "promote: {metric: auc, newest: 20%}";
    private String more = "";
    private String password = "";

    GivenLoop(Path folder) throws IOException {
        this.folder = folder;
        write();
    }

    /** The same with other lines in its file. */
    GivenLoop with(String promotion, String lines) throws IOException {
        promote = promotion;
        more = lines;
        write();
        return this;
    }

    /** The password that the variable PG has. */
    GivenLoop password(String given) {
        password = given;
        return this;
    }

    private void write() throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: small
                data: {train: the-loops, label: y}
                model: {family: boosting, rounds: 8}
                cluster: {workers: 1}
                """);
        Files.writeString(
                file(),
                """
                name: small
                sources:
                  things: {files: "things-*.csv", key: id, types: {x: real, w: real, t: datetime}}
                rows:
                  sql: SELECT id, t, x, w, c, y FROM things
                  key: id
                  at: t
                  label: y
                score: {sql: "SELECT id, x, w, c FROM things WHERE length(id) = 1", key: id}
                job: job.yaml
                retrain: {rows: 100, drift: true}
                %s
                %s
                """
                        .formatted(promote, more));
    }

    Path file() {
        return folder.resolve("small.yaml");
    }

    /** Its training is not what is tried: the workers of it are threads here. */
    Loop open() {
        return opened(LoopFile.read(file()), name -> name.equals("PG") ? password : null);
    }

    /** A loop whose workers are threads of this process. */
    static Loop opened(LoopSpec spec, UnaryOperator<@Nullable String> environment) {
        return new Loop(
                spec,
                environment,
                Clock.system(),
                options -> options.startingWorkers(new InProcessWorkers()));
    }

    LoopRun run() throws IOException, InterruptedException {
        try (Loop loop = open()) {
            return loop.run("by hand", new Quiet());
        }
    }

    /** Rows from one number to another, whose x is higher by {@code shift} and means the other. */
    void rows(int from, int to, double shift) throws IOException {
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

    String decision(long run, String kind) {
        try (Loop loop = open()) {
            return loop.state().decisions(99).stream()
                    .filter(d -> d.run() == run && d.kind().equals(kind))
                    .map((DecisionRecord d) -> d.verdict() + ": " + d.why())
                    .findFirst()
                    .orElse("");
        }
    }

    StageRecord stage(long run, String name) {
        try (Loop loop = open()) {
            return loop.state().stages(run).stream()
                    .filter(s -> s.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    int production() {
        try (Loop loop = open()) {
            return loop.models().production().orElse(0);
        }
    }

    /** Ends as a killed process would, when a stage begins. */
    static final class CutAt extends Quiet {
        private final String at;

        CutAt(String at) {
            this.at = at;
        }

        @Override
        public void stage(String name) {
            if (name.equals(at)) {
                throw new AssertionError("killed in " + name);
            }
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
