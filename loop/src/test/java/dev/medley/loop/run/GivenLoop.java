package dev.medley.loop.run;

import dev.medley.api.agent.InProcessWorkers;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.loop.continuous.ContinuousLearner;
import dev.medley.loop.continuous.RunningStanding;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.spec.LoopSpec;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.StageRunner;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Holds a small loop over rows in files, for tests. Its trainings are not what is tried: their
 * workers are threads here.
 */
public final class GivenLoop {
    static final int ROWS = 600;

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String FILES =
            "{files: \"things-*.csv\", key: id, types: {x: real, w: real, t: datetime}}";
    private static final String BOOSTING =
            """
            name: small
            data: {train: the-loops, label: y}
            model: {family: boosting, rounds: 8}
            cluster: {workers: 1}
            """;
    private static final String MLP =
            """
            name: flow
            seed: 7
            data: {train: the-loops, label: y}
            model: {family: mlp, hidden: [16], dropout: 0.1}
            train: {epochs: 8, batch: 32, optimizer: {kind: adamw, learning_rate: 0.01}}
            cluster: {workers: 1}
            """;
    private static final String SCORED =
            """
            score: {sql: "SELECT id, x, w, c FROM things WHERE length(id) = 1", key: id}
            retrain: {rows: 100, drift: true}
            """;
    private static final String CONTINUOUS =
            """
            every: 24h
            continuous: {delay: 1m, publish: 10m}
            """;

    private final Path folder;
    private final String name;
    private final String job;
    private final String lines;
    private final Clock clock;
    private String source = FILES;
    private String promote = "promote: {metric: auc, newest: 20%}";
    private String more = "";
    private String password = "";

    /** Over a clock, with lines of its own in its file. */
    private GivenLoop(Path folder, String name, String job, String lines, Clock clock)
            throws IOException {
        this.folder = folder;
        this.name = name;
        this.job = job;
        this.lines = lines;
        this.clock = clock;
        write();
    }

    /** One that answers for some rows, and learns anew where many have come. */
    GivenLoop(Path folder) throws IOException {
        this(folder, "small", BOOSTING, SCORED, Clock.system());
    }

    /** One that learns anew where rows have changed. */
    static GivenLoop plain(Path folder) throws IOException {
        return new GivenLoop(folder, "small", BOOSTING, "retrain: {drift: true}\n", Clock.system());
    }

    /** One whose model goes on learning between runs, by a clock. */
    public static GivenLoop flowing(Path folder, Clock clock) throws IOException {
        return new GivenLoop(folder, "flow", MLP, CONTINUOUS, clock);
    }

    /** The same with other lines in its file. */
    public GivenLoop with(String promotion, String others) throws IOException {
        promote = promotion;
        more = others;
        write();
        return this;
    }

    /** The same with its rows elsewhere. */
    public GivenLoop from(String place) throws IOException {
        source = place;
        write();
        return this;
    }

    /** The password that the variable PG has. */
    public GivenLoop password(String given) {
        password = given;
        return this;
    }

    private void write() throws IOException {
        Files.writeString(folder.resolve("job.yaml"), job);
        Files.writeString(
                file(),
                """
                name: %s
                sources:
                  things: %s
                rows:
                  sql: SELECT id, t, x, w, c, y FROM things
                  key: id
                  at: t
                  label: y
                job: job.yaml
                %s%s
                %s
                """
                        .formatted(name, source, lines, promote, more));
    }

    /** The file, with other lines in it. */
    Path loopFile(String others) throws IOException {
        with(promote, others);
        return file();
    }

    /** Its file. */
    public Path file() {
        return folder.resolve(name + ".yaml");
    }

    /** Opens it. */
    public Loop open() {
        return opened(LoopFile.read(file()), given -> given.equals("PG") ? password : null, clock);
    }

    /** As a file says. */
    static Loop open(Path file) {
        return opened(LoopFile.read(file), System::getenv, Clock.system());
    }

    /** A loop whose workers are threads of this process. */
    static Loop opened(LoopSpec spec, UnaryOperator<@Nullable String> environment, Clock clock) {
        return new Loop(
                spec,
                environment,
                clock,
                options -> options.startingWorkers(new InProcessWorkers()));
    }

    /** All stages. */
    public LoopRun run() throws IOException, InterruptedException {
        try (Loop loop = open()) {
            return loop.run("by hand", new Quiet());
        }
    }

    /** As a file says. */
    static LoopRun run(Path file) throws IOException, InterruptedException {
        try (Loop loop = open(file)) {
            return loop.run("by hand", new Quiet());
        }
    }

    /** Lets the running model learn what has come. */
    public RunningStanding look() throws IOException {
        try (Loop loop = open();
                Staying staying = loop.staying(new Quiet())) {
            return staying.look(ContinuousLearner.Told.NOBODY);
        }
    }

    /** Makes a version of the running model. */
    public LoopRun publish() throws IOException, InterruptedException {
        try (Loop loop = open();
                Staying staying = loop.staying(new Quiet())) {
            return staying.publish();
        }
    }

    /** Rows from one number to another, whose x is higher by {@code shift} and means the other. */
    void rows(int from, int to, double shift) throws IOException {
        RandomGenerator random = Seeds.generator(from + 1);
        StringBuilder rows = new StringBuilder();
        for (int i = from; i < to; i++) {
            double x = random.nextGaussian();
            boolean isYes = (x > 0) ^ (shift > 0) ^ (random.nextInt(10) == 0);
            String w = "%.4f".formatted(random.nextGaussian());
            char category = "abc".charAt(random.nextInt(3));
            rows.append(row(i, "%.4f".formatted(x + shift), w, category, isYes ? "yes" : "no"));
        }
        text("" + from, rows.toString());
    }

    /** The same, of which {@code sign} below 0 turns round what x means, and nothing else. */
    public void turned(int from, int to, int sign) throws IOException {
        RandomGenerator random = Seeds.generator(from + 1);
        StringBuilder rows = new StringBuilder();
        for (int i = from; i < to; i++) {
            double x = random.nextGaussian();
            boolean isYes = (x * sign > 0) ^ (random.nextInt(10) == 0);
            char category = "abc".charAt(random.nextInt(3));
            rows.append(row(i, "%.4f".formatted(x), category, isYes ? "yes" : "no"));
        }
        text("" + from, rows.toString());
    }

    /** One row of a file. */
    public static String row(int number, String x, char category, String label) {
        return row(number, x, "%.4f".formatted(number % 7 / 7.0), category, label);
    }

    private static String row(int number, String x, String w, char category, String label) {
        return "%d,%s,%s,%s,%s,%s\n"
                .formatted(
                        number,
                        START.plus(number, ChronoUnit.HOURS).toString().replace("Z", ""),
                        x,
                        w,
                        category,
                        label);
    }

    /** A file of rows. */
    public void text(String file, String rows) throws IOException {
        Files.writeString(folder.resolve("things-" + file + ".csv"), "id,t,x,w,c,y\n" + rows);
    }

    String decision(long run, String kind) {
        return decided(run, kind);
    }

    /** What was decided last on something; empty where nothing was. */
    public String decision(String kind) {
        return decided(null, kind);
    }

    private String decided(@Nullable Long run, String kind) {
        try (Loop loop = open()) {
            return loop.state().decisions(99).stream()
                    .filter(d -> (run == null || d.run() == run) && d.kind().equals(kind))
                    .map(d -> d.verdict() + ": " + d.why())
                    .findFirst()
                    .orElse("");
        }
    }

    StageRecord stage(long run, String stage) {
        try (Loop loop = open()) {
            return found(loop, run, stage).orElseThrow();
        }
    }

    static Optional<StageRecord> found(Loop loop, long run, String stage) {
        return loop.state().stages(run).stream().filter(s -> s.name().equals(stage)).findFirst();
    }

    static LearntRows rows(Loop loop, long run) {
        return Json.bind(found(loop, run, "rows").orElseThrow().result(), LearntRows.class);
    }

    static long asOf(Loop loop, long run) {
        return found(loop, run, "known").orElseThrow().result().path("asOfMs").longValue();
    }

    List<String> stages() {
        try (Loop loop = open()) {
            return loop.stageNames();
        }
    }

    /** The version that answers; 0 for none. */
    public int production() {
        try (Loop loop = open()) {
            return loop.models().production().orElse(0);
        }
    }

    /** One that hears nothing. */
    public static StageRunner.Listener quiet() {
        return new Quiet();
    }

    /** One that ends as a killed process would, when a stage begins. */
    public static StageRunner.Listener cutAt(String stage) {
        return new CutAt(stage);
    }

    /** Ends as a killed process would, when a stage begins. */
    static final class CutAt extends Quiet {
        private final String at;

        /** At this stage. */
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
