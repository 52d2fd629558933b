package dev.medley.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.Work;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.DivisionSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import dev.medley.base.strategy.TrafficSpec;
import dev.medley.base.table.TermSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A resolved job, written as YAML and read again, is the same job.
 *
 * <p>Long because it draws every component of a job.
 */
@Tag("property")
class JobYamlTest {
    private static final List<String> WORDS =
            List.of(
                    "a", "7", "true", "null", "~", "no: #x", "\"q\"", "- b", "é\n", " x ", "1e3",
                    "");

    static List<Long> seeds() {
        return java.util.stream.LongStream.range(0, Long.getLong("medley.seeds", 15))
                .boxed()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldSurviveWritingAndReading(long seed) {
        JobSpec job = new Draw(Seeds.generator(seed)).job();
        String yaml = JobYaml.of(job);
        JobSpec read = JobFile.parse("resolved.yaml", yaml, Path.of("/"), List.of()).spec();
        assertThat(read).as(yaml).isEqualTo(job);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldSurviveWritingInBriefAndReading(long seed) {
        JobSpec job = new Draw(Seeds.generator(seed)).job();
        String brief = JobYaml.brief(job);
        JobSpec read = JobFile.parse("brief.yaml", brief, Path.of("/"), List.of()).spec();
        assertThat(read).as(brief).isEqualTo(job);
        assertThat(brief.length()).isLessThan(JobYaml.of(job).length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{family: boosting, rounds: 20, leaves: 31, monotone: {age: increasing}}",
                "boosting",
                "{family: forest, trees: 7, colsample: 0.25}"
            })
    void jobsOfTreesShouldSurviveBoth(String model) {
        String written =
                "name: t\n"
                        + "data: {train: /a.csv, label: y}\n"
                        + "train: {time: 5m, metrics: [auc]}\n"
                        + "model: "
                        + model;
        JobSpec job = JobFile.parse("t.yaml", written, Path.of("/"), List.of()).spec();
        for (String yaml : List.of(JobYaml.of(job), JobYaml.brief(job))) {
            assertThat(JobFile.parse("t.yaml", yaml, Path.of("/"), List.of()).spec())
                    .as(yaml)
                    .isEqualTo(job);
        }
        assertThat(JobYaml.brief(job)).hasSizeLessThan(written.length() + 40);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{family: factorization, user: u, item: i, rank: 8}",
                "{family: factorization, user: u, item: i, feedback: implicit, negatives: 2}",
                "{family: factorization, user: u, item: i, solver: als, l2: 0.1}",
                "factorization"
            })
    void jobsOfFactorsShouldSurviveBoth(String model) {
        String written = "name: t\ndata: {train: /a.csv, label: y}\nmodel: " + model;
        JobSpec job = JobFile.parse("t.yaml", written, Path.of("/"), List.of()).spec();
        for (String yaml : List.of(JobYaml.of(job), JobYaml.brief(job))) {
            assertThat(JobFile.parse("t.yaml", yaml, Path.of("/"), List.of()).spec())
                    .as(yaml)
                    .isEqualTo(job);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model: kmeans",
                "model: {family: kmeans, k: 5, restarts: 1, iterations: 20, tolerance: 0.001}",
                "model: {family: kmeans, k: 3, algorithm: mini-batch}\n"
                        + "train: {epochs: 2, batch: 99}"
            })
    void jobsOfClustersShouldSurviveBoth(String model) {
        String written = "name: t\ndata: {train: /a.csv}\n" + model;
        JobSpec job = JobFile.parse("t.yaml", written, Path.of("/"), List.of()).spec();
        assertThat(job.data().task()).isEqualTo(DataSpec.Task.NONE);
        assertThat(job.data().table().scaling()).isEqualTo(DataSpec.NumberScaling.STANDARD);
        for (String yaml : List.of(JobYaml.of(job), JobYaml.brief(job))) {
            assertThat(JobFile.parse("t.yaml", yaml, Path.of("/"), List.of()).spec())
                    .as(yaml)
                    .isEqualTo(job);
        }
        assertThat(JobYaml.brief(job)).hasSizeLessThan(written.length() + 40);
    }

    @Test
    void jobsThatRankShouldSurviveBoth() {
        String written =
                "data: {train: /a.csv, label: y, group: q}\n"
                        + "train: {metrics: [ndcg@5]}\n"
                        + "model: {family: boosting, ranking: pairwise}\n";
        JobSpec job = JobFile.parse("r.yaml", written, Path.of("/"), List.of()).spec();
        for (String yaml : List.of(JobYaml.of(job), JobYaml.brief(job))) {
            assertThat(JobFile.parse("r.yaml", yaml, Path.of("/"), List.of()).spec())
                    .as(yaml)
                    .isEqualTo(job);
        }
    }

    @Test
    void aUsualJobShouldBeAsShortAsItsUserWroteIt() {
        String written =
                """
                name: adult
                data:
                  train: /data/adult.csv
                  label: "01"
                model: mlp
                train:
                  epochs: 2.5
                  batch: 64
                cluster: 2
                """;
        JobSpec job = JobFile.parse("job.yaml", written, Path.of("/"), List.of()).spec();
        assertThat(JobYaml.brief(job)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{time: when, horizon: 3}",
                "{time: t, by: [a, '7'], targets: y, look_back: 9, horizon: 3, scaling: series}",
                "{time: t, horizon: 1, validation: 2017-06-26, test: '2017-10-24 12:00'}",
                "{time: t, horizon: 1, validation: 1000, test: 0.25, until: 2018-02-21}",
            })
    void seriesShouldSurviveWritingAndReading(String series) {
        String written = "data: {train: /a.csv, series: %s}\nmodel: linear\n".formatted(series);
        JobSpec job = JobFile.parse("job.yaml", written, Path.of("/"), List.of()).spec();
        assertThat(job.data().series()).isNotNull();
        for (String yaml : List.of(JobYaml.of(job), JobYaml.brief(job))) {
            JobSpec read = JobFile.parse("job.yaml", yaml, Path.of("/"), List.of()).spec();
            assertThat(read).as(yaml).isEqualTo(job);
        }
        assertThat(JobYaml.brief(job)).doesNotContain("task", "split", "scaling: column");
    }

    /** Draws jobs in which every key that is written has a meaning. */
    private record Draw(RandomGenerator random) {
        JobSpec job() {
            int workers = 1 + random.nextInt(4);
            StrategySpec.Kind kind = pick(StrategySpec.Kind.values());
            Compress compress =
                    kind == StrategySpec.Kind.AUTO
                            ? Compress.NONE
                            : pick(Compress.NONE, Compress.INT8, Compress.TOPK, Compress.AUTO);
            if (kind == StrategySpec.Kind.GOSSIP && compress == Compress.TOPK) {
                compress = Compress.INT8;
            }
            if (kind == StrategySpec.Kind.LOCAL_SGD && flip()) {
                compress = Compress.POWERSGD;
            }
            ModelSpec model = model();
            double l1 = model instanceof ModelSpec.Linear && flip() ? 0.25 : 0;
            return new JobSpec(
                    pick("a", "x.1", "Z-_9"),
                    new Work.Gradient(
                            data(model instanceof ModelSpec.Linear),
                            model,
                            kind == StrategySpec.Kind.DATA_PARALLEL
                                    ? train(workers, l1).with(batches())
                                    : train(workers, l1),
                            new StrategySpec(
                                    kind.of(round(kind), async(kind, compress)),
                                    new TrafficSpec(
                                            pick(StrategySpec.Transport.values()),
                                            1024 + random.nextInt(1 << 20),
                                            compress,
                                            borders(kind, compress, codec(compress))),
                                    new DivisionSpec(
                                            flip()
                                                    ? List.of()
                                                    : java.util.Collections.nCopies(workers, 0.5),
                                            pick(
                                                    StrategySpec.Balance.AUTO,
                                                    StrategySpec.Balance.NONE),
                                            new Stragglers(
                                                    pick(
                                                            Stragglers.Policy.WAIT,
                                                            Stragglers.Policy.LEAVE),
                                                    1.5 + random.nextInt(4))))),
                    cluster(workers),
                    new CheckpointSpec(
                            random.nextInt(9),
                            nanos(),
                            1 + random.nextInt(3),
                            random.nextBoolean() ? null : "s3://bucket/runs"),
                    random.nextLong());
        }

        private TrainSpec.BatchesSpec batches() {
            return new TrainSpec.BatchesSpec(flip() ? 0 : 500, flip());
        }

        private CodecSpec codec(Compress compress) {
            CodecSpec dense = CodecSpec.DEFAULT.after(random.nextInt(9));
            return switch (compress) {
                case NONE -> CodecSpec.DEFAULT;
                case TOPK -> dense.keeping(0.25).warmingUp(random.nextInt(9)).decaying(0.5);
                case AUTO -> dense.keeping(0.125).choosingOf(Compress.INT4, Compress.NONE);
                case POWERSGD -> dense.ofRank(1 + random.nextInt(9));
                default -> dense.decaying(0.75);
            };
        }

        /** One way with what only its codec takes. */
        private CodecSpec borders(StrategySpec.Kind kind, Compress compress, CodecSpec codec) {
            boolean isFree =
                    kind != StrategySpec.Kind.PARAMETER_SERVER
                            && kind != StrategySpec.Kind.GOSSIP
                            && kind != StrategySpec.Kind.AUTO;
            boolean isOfBorders = compress == Compress.NONE || compress == Compress.INT8;
            return isFree && isOfBorders && flip()
                    ? codec.keeping(0.25)
                            .decaying(0.5)
                            .warmingUp(random.nextInt(9))
                            .at(
                                    List.of(
                                            new BorderCodec("x", "a b", Compress.TOPK),
                                            new BorderCodec("a b", "x", Compress.BF16)))
                    : codec;
        }

        private RoundSpec round(StrategySpec.Kind kind) {
            RoundSpec round = RoundSpec.defaults(kind);
            if (kind != StrategySpec.Kind.DATA_PARALLEL && kind != StrategySpec.Kind.AUTO) {
                round = round.every(1 + random.nextInt(99));
                round = flip() ? round : round.inBatchesOf(1 + random.nextInt(9));
            }
            return kind == StrategySpec.Kind.DILOCO || kind == StrategySpec.Kind.HYBRID
                    ? round.outer(0.1 + random.nextDouble(), random.nextDouble())
                    : round;
        }

        private AsyncSpec async(StrategySpec.Kind kind, Compress compress) {
            return switch (kind) {
                case PARAMETER_SERVER ->
                        (flip()
                                        ? AsyncSpec.stale(random.nextInt(9))
                                        : AsyncSpec.of(pick(AsyncSpec.Sync.values())))
                                .with(
                                        compress == Compress.AUTO
                                                ? AsyncSpec.Servers.ALL
                                                : pick(AsyncSpec.Servers.values()));
                case GOSSIP -> AsyncSpec.mixing(1 + random.nextInt(9));
                default -> AsyncSpec.NONE;
            };
        }

        private DataSpec data(boolean isSparse) {
            boolean isGiven = flip();
            DataSpec.SplitKind kind = pick(DataSpec.SplitKind.values());
            return new DataSpec(
                    DataFormat.AUTO,
                    List.of("/a b.csv", "/c*.csv"),
                    isGiven ? List.of("/v.csv") : List.of(),
                    flip() ? null : pick("y", "7", "true"),
                    isGiven
                            ? DataSpec.SplitSpec.defaults()
                            : new DataSpec.SplitSpec(
                                    kind,
                                    random.nextDouble(),
                                    kind == DataSpec.SplitKind.STRATIFIED && flip() ? "c" : null),
                    new DataSpec.TableSpec(
                            flip() ? null : pick(";", "\t", "|"),
                            flip() ? null : flip(),
                            pick(".", ","),
                            pick(DataSpec.Dates.values()),
                            words(),
                            words(),
                            words(),
                            List.of("no category", "9"),
                            random.nextInt(99),
                            pick(DataSpec.BadRows.values()),
                            pick(
                                    DataSpec.NumberScaling.ROBUST,
                                    DataSpec.NumberScaling.STANDARD,
                                    DataSpec.NumberScaling.NONE),
                            new TermSpec(
                                    1 + random.nextInt(9),
                                    random.nextInt(99),
                                    flip() ? List.of() : List.of("a text", "both"),
                                    flip() ? List.of() : List.of("both", "a code"),
                                    1 + random.nextInt(99),
                                    1 + random.nextInt(TermSpec.MOST_BITS),
                                    isSparse),
                            flip() ? List.of() : List.of("only this", "8")),
                    new DataSpec.ImageSpec(
                            random.nextInt(99),
                            random.nextInt(99),
                            flip(),
                            random.nextInt(9),
                            flip(),
                            random.nextDouble(),
                            random.nextInt(9)),
                    new DataSpec.TextSpec(
                            pick(DataSpec.TextUnit.values()),
                            2 + random.nextInt(99),
                            1 + random.nextInt(99),
                            List.of("*.md", "[x]")),
                    new DataSpec.CacheSpec(random.nextInt(1 << 30), 1L << random.nextInt(40)),
                    1 + random.nextInt(9),
                    null,
                    pick(DataSpec.Placement.values()),
                    pick(
                            DataSpec.Task.FOUND,
                            DataSpec.Task.CLASSIFICATION,
                            DataSpec.Task.REGRESSION),
                    flip() ? null : "the weight",
                    null,
                    null);
        }

        private ModelSpec model() {
            return switch (random.nextInt(9)) {
                case 0 -> new ModelSpec.Linear();
                case 4 -> new ModelSpec.Resnet(pick(18, 34, 50));
                case 5 -> new ModelSpec.Lstm(1 + random.nextInt(3), 7, random.nextDouble());
                case 7 -> new ModelSpec.Transformer(1, 8, 2, 0.5).ofPatches(5, 3);
                case 6 -> new ModelSpec.Gru(1 + random.nextInt(3), 9, 0.5);
                case 1 ->
                        new ModelSpec.Mlp(
                                List.of(3, 4),
                                pick(ModelSpec.Activation.values()),
                                0.25,
                                pick(ModelSpec.Numeric.values()),
                                random.nextInt(3),
                                flip(),
                                flip() ? 0 : 2 + random.nextInt(9));
                case 2 -> new ModelSpec.Cnn(List.of(8), 5, List.of(), flip(), 0.5);
                case 3 -> new ModelSpec.Transformer(2, 64, 8, random.nextDouble());
                default -> new ModelSpec.Custom(ownClass());
            };
        }

        private ClassSpec ownClass() {
            return new ClassSpec("com.acme.X$Y", Map.of("a", pick(WORDS), "b", pick(WORDS)));
        }

        /** Labels are smoothed where they are classes. */
        private TrainSpec.LossSpec loss() {
            if (flip()) {
                return new TrainSpec.LossSpec(TrainSpec.LossKind.CUSTOM, ownClass());
            }
            double smoothing = random.nextInt(4) / 8.0;
            TrainSpec.LossKind kind =
                    smoothing == 0
                            ? TrainSpec.LossKind.MEAN_SQUARED_ERROR
                            : TrainSpec.LossKind.CROSS_ENTROPY;
            return new TrainSpec.LossSpec(kind, null, classWeights(), smoothing);
        }

        private TrainSpec train(int workers, double l1) {
            return new TrainSpec(
                    new TrainSpec.Budget(
                            0.25 + random.nextInt(9),
                            random.nextInt(99),
                            random.nextInt(99) / 4.0,
                            random.nextInt(99)),
                    workers + random.nextInt(99),
                    loss(),
                    optimizer(l1),
                    schedule(),
                    random.nextDouble(),
                    1 + random.nextInt(4),
                    pick(TrainSpec.Precision.values()),
                    flip()
                            ? List.of()
                            : List.of(
                                    TrainSpec.MetricSpec.of(TrainSpec.MetricKind.LOG_LOSS),
                                    TrainSpec.MetricSpec.topAccuracy(1 + random.nextInt(9)),
                                    new TrainSpec.MetricSpec(
                                            TrainSpec.MetricKind.CUSTOM, ownClass())),
                    random.nextInt(99),
                    new TrainSpec.StopSpec(
                            flip() ? null : 0.1, random.nextInt(9), 1e-9, random.nextInt(9)),
                    List.of(
                            new TrainSpec.ParameterGroupSpec("*.bias", flip(), null, 0.0),
                            new TrainSpec.ParameterGroupSpec("*", flip(), 1e-5, null)),
                    flip() ? List.of() : List.of(ownClass()),
                    TrainSpec.BatchesSpec.CONSTANT,
                    threshold());
        }

        private @Nullable ThresholdSpec threshold() {
            return switch (random.nextInt(3)) {
                case 0 -> null;
                case 1 -> ThresholdSpec.of(ThresholdSpec.Maximise.YOUDEN);
                default ->
                        new ThresholdSpec(
                                ThresholdSpec.Maximise.PROFIT, 40, -random.nextDouble(), 0, -1e-3);
            };
        }

        private TrainSpec.ClassWeights classWeights() {
            return pick(
                    TrainSpec.ClassWeights.NONE,
                    TrainSpec.ClassWeights.BALANCED,
                    new TrainSpec.ClassWeights(
                            false, Map.of("no", 0.5, "7", 2.0, "true", 0.0), List.of()));
        }

        private OptimizerSpec optimizer(double l1) {
            OptimizerSpec.Kind kind =
                    pick(
                            new OptimizerSpec.Kind[] {
                                OptimizerSpec.Kind.SGD,
                                OptimizerSpec.Kind.RMSPROP,
                                OptimizerSpec.Kind.ADAGRAD,
                                OptimizerSpec.Kind.ADAM,
                                OptimizerSpec.Kind.ADAMW
                            });
            OptimizerSpec o =
                    OptimizerSpec.defaults(kind).withLearningRate(1e-7 + random.nextDouble());
            return switch (kind) {
                case SGD ->
                        new OptimizerSpec(
                                        kind, o.learningRate(), 0.9, flip(), 0.9, 0.999, 1e-8, 0.1)
                                .withL1(l1);
                case RMSPROP ->
                        new OptimizerSpec(kind, o.learningRate(), 0.5, false, 0.9, 0.8, 1e-7, 0);
                case ADAGRAD ->
                        new OptimizerSpec(kind, o.learningRate(), 0, false, 0.9, 0.999, 1e-7, 0.1);
                case ADAM, ADAMW ->
                        new OptimizerSpec(kind, o.learningRate(), 0, false, 0.8, 0.99, 1e-6, 0.2);
                case LBFGS -> throw new IllegalStateException("has a test of its own");
            };
        }

        private ScheduleSpec schedule() {
            ScheduleSpec.Kind kind = pick(ScheduleSpec.Kind.values());
            boolean isStep = kind == ScheduleSpec.Kind.STEP;
            return new ScheduleSpec(
                    kind,
                    random.nextInt(99),
                    isStep ? 2.5 : 10,
                    isStep ? 0.5 : 0.1,
                    kind == ScheduleSpec.Kind.COSINE ? random.nextDouble() : 0,
                    pick(0.25, 0.1, 1.0));
        }

        private ClusterSpec cluster(int workers) {
            long heartbeat = nanos();
            return new ClusterSpec(
                    workers,
                    random.nextInt(4),
                    words(),
                    List.of("/lib/a.jar"),
                    heartbeat,
                    3 * heartbeat,
                    3 * heartbeat + random.nextInt(99),
                    random.nextInt(9),
                    flip() ? null : join());
        }

        private JoinSpec join() {
            return new JoinSpec(
                    "trainer:" + random.nextInt(65536),
                    nanos(),
                    random.nextInt(1 << 20),
                    flip() ? null : "/certs/trainer",
                    flip() ? null : "/certs/token",
                    pick(List.of(JoinSpec.Encrypt.values())),
                    flip() ? null : "s3://bucket/medley",
                    pick(List.of(JoinSpec.Begin.values())));
        }

        private long nanos() {
            long[] units = {1, 1_000, 1_000_000, 1_000_000_000L, 60_000_000_000L};
            return (1 + random.nextInt(5000)) * units[random.nextInt(units.length)];
        }

        private List<String> words() {
            return flip() ? List.of() : List.of(pick(WORDS), pick(WORDS));
        }

        private boolean flip() {
            return random.nextBoolean();
        }

        private <T> T pick(List<T> values) {
            return values.get(random.nextInt(values.size()));
        }

        @SafeVarargs
        private <T> T pick(T... values) {
            return pick(List.of(values));
        }
    }
}
