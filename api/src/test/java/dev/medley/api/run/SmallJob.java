package dev.medley.api.run;

import dev.medley.api.Models;
import dev.medley.base.Seeds;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.FamilyRules;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.job.TrainSpec.StopSpec;
import dev.medley.base.job.Work;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.strategy.StrategySpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A job small enough to run many times in a test: a tiny transformer on a text made from a seed.
 * Workers have one thread each: more would only wait for each other in operations this small.
 */
public record SmallJob(JobSpec job) {
    static final int BATCH = 12;
    static final int TREE_ROWS = 900;
    static final int RATINGS = 24_000;

    /** Writes the text, an epoch of some 450 steps, and describes the job. */
    public static SmallJob in(Path folder, int workers, long steps) throws IOException {
        return in(folder, 16_000, workers, steps);
    }

    /** The same with a text of so many words. */
    public static SmallJob in(Path folder, int words, int workers, long steps) throws IOException {
        Path text = folder.resolve("text.txt");
        if (!Files.exists(text)) {
            Files.writeString(text, text(7, words), StandardCharsets.UTF_8);
        }
        DataSpec data =
                new DataSpec(
                        DataFormat.TEXT,
                        List.of(text.toString()),
                        List.of(),
                        null,
                        new SplitSpec(SplitKind.TAIL, 0.1, null),
                        TableSpec.defaults(),
                        ImageSpec.defaults(),
                        new TextSpec(TextUnit.BYTES, 16, 16, List.of("*")),
                        new CacheSpec(16 << 20, 1 << 30),
                        2,
                        null);
        TrainSpec train =
                new TrainSpec(
                        new Budget(0, steps, 0),
                        BATCH,
                        LossSpec.auto(),
                        OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW).withLearningRate(3e-3),
                        ScheduleSpec.defaults(),
                        1,
                        1,
                        Precision.FP32,
                        List.of(),
                        100,
                        StopSpec.never(),
                        List.of(),
                        List.of());
        return new SmallJob(
                new JobSpec(
                        "small",
                        new Work.Gradient(
                                data,
                                new ModelSpec.Transformer(1, 32, 2, 0.1),
                                train,
                                StrategySpec.defaults()),
                        ClusterSpec.ofWorkers(workers).with(workers, 1),
                        new CheckpointSpec(10, 0, 3),
                        11));
    }

    /** Boosting on a table made from a seed, of {@link #TREE_ROWS} training rows. */
    static SmallJob ofTrees(Path folder, int workers, int rounds) throws IOException {
        Path table = folder.resolve("table.csv");
        Path validation = folder.resolve("validation.csv");
        Files.writeString(table, rows(1, TREE_ROWS), StandardCharsets.UTF_8);
        Files.writeString(validation, rows(2, 200), StandardCharsets.UTF_8);
        SmallJob text = in(folder, workers, rounds);
        ModelSpec.Boosting usual = ModelSpec.Boosting.defaults();
        ModelSpec.Boosting model = new ModelSpec.Boosting(rounds, 0.1, usual.tree());
        DataSpec data =
                new DataSpec(
                                DataFormat.CSV,
                                List.of(table.toString()),
                                List.of(validation.toString()),
                                "label",
                                SplitSpec.defaults(),
                                TableSpec.defaults(),
                                ImageSpec.defaults(),
                                TextSpec.defaults(),
                                new CacheSpec(16 << 20, 1 << 30),
                                2,
                                null)
                        .forTrees();
        TrainSpec judged = text.metrics(MetricSpec.of(MetricKind.LOG_LOSS)).job.train();
        TrainSpec train = FamilyRules.train(model, judged);
        return new SmallJob(
                new JobSpec(
                        "trees",
                        new Work.Gradient(data, model, train, StrategySpec.defaults()),
                        text.job.cluster(),
                        text.job.checkpoint(),
                        text.job.seed()));
    }

    /** Ratings made from a seed, {@link #RATINGS} of them, all of which train. */
    static SmallJob ofRatings(Path folder, int workers, int steps, FactorSpec.Solver solver)
            throws IOException {
        Path ratings = folder.resolve("ratings.csv");
        Path validation = folder.resolve("validation.csv");
        Files.writeString(ratings, ratings(5, RATINGS), StandardCharsets.UTF_8);
        Files.writeString(validation, ratings(6, 200), StandardCharsets.UTF_8);
        SmallJob text = in(folder, workers, steps);
        FactorSpec factors =
                FactorSpec.defaults()
                        .of("user", "item")
                        .withRank(24)
                        .by(solver)
                        .iterating(steps / 2);
        ModelSpec.Factorization model = Models.factorization(factors);
        DataSpec data =
                new DataSpec(
                        DataFormat.CSV,
                        List.of(ratings.toString()),
                        List.of(validation.toString()),
                        "rating",
                        SplitSpec.defaults(),
                        TableSpec.defaults(),
                        ImageSpec.defaults(),
                        TextSpec.defaults(),
                        new CacheSpec(16 << 20, 1 << 30),
                        2,
                        null);
        TrainSpec judged = text.metrics(MetricSpec.of(MetricKind.RMSE)).job.train();
        return new SmallJob(
                new JobSpec(
                        "ratings",
                        new Work.Gradient(
                                FamilyRules.data(model, data),
                                model,
                                FamilyRules.train(model, judged),
                                StrategySpec.defaults()),
                        text.job.cluster(),
                        text.job.checkpoint(),
                        text.job.seed()));
    }

    private static String ratings(long seed, int count) {
        RandomGenerator random = Seeds.generator(seed);
        StringBuilder rows = new StringBuilder("user,item,rating\n");
        for (int i = 0; i < count; i++) {
            int user = random.nextInt(60);
            int item = random.nextInt(40);
            double taste = (user % 5 - 2) * (item % 3 - 1) + user % 7 * 0.2 + random.nextDouble();
            rows.append("u%d,%d,%.1f\n".formatted(user, item, taste));
        }
        return rows.toString();
    }

    private static String rows(long seed, int count) {
        RandomGenerator random = Seeds.generator(seed);
        StringBuilder rows = new StringBuilder("x,y,kind,label\n");
        for (int i = 0; i < count; i++) {
            double x = random.nextDouble() - 0.5;
            double y = random.nextDouble() - 0.5;
            boolean isA = random.nextBoolean();
            rows.append(random.nextInt(20) == 0 ? "" : String.valueOf(x))
                    .append(',')
                    .append(y)
                    .append(isA ? ",a," : ",b,")
                    .append(x + y > (isA ? 0.2 : -0.2) ? "yes\n" : "no\n");
        }
        return rows.toString();
    }

    SmallJob dropout(double dropout) {
        return model(new ModelSpec.Transformer(1, 32, 2, dropout));
    }

    SmallJob model(ModelSpec model) {
        return with(model, job.strategy());
    }

    public SmallJob strategy(StrategySpec strategy) {
        return with(job.model(), strategy);
    }

    /** Gradients are not clipped then. */
    SmallJob learningRate(double rate) {
        TrainSpec t = job.train();
        return with(t.optimizer().withLearningRate(rate), 0, t.precision());
    }

    /** An evaluation costs as much as some forty steps. */
    SmallJob evaluateEvery(long steps) {
        TrainSpec t = job.train();
        return with(t.optimizer(), t.clipNorm(), t.precision(), steps);
    }

    private SmallJob metrics(MetricSpec metric) {
        TrainSpec t = job.train();
        TrainSpec train =
                new TrainSpec(
                        t.budget(),
                        t.batch(),
                        t.loss(),
                        t.optimizer(),
                        t.schedule(),
                        t.clipNorm(),
                        t.accumulate(),
                        t.precision(),
                        List.of(metric),
                        t.evaluateEverySteps(),
                        t.stop(),
                        t.groups(),
                        t.callbacks());
        return new SmallJob(job.with(train, job.checkpoint()));
    }

    /** Gradients are not clipped then. */
    SmallJob optimizer(OptimizerSpec optimizer) {
        return with(optimizer, 0, job.train().precision());
    }

    SmallJob precision(Precision precision) {
        TrainSpec t = job.train();
        return with(t.optimizer(), t.clipNorm(), precision);
    }

    SmallJob placed(Placement placement) {
        DataSpec d = job.data();
        DataSpec data =
                new DataSpec(
                        d.format(),
                        d.train(),
                        d.validation(),
                        d.label(),
                        d.split(),
                        d.table(),
                        d.image(),
                        d.text(),
                        d.cache(),
                        d.prefetchBatches(),
                        d.custom(),
                        placement,
                        d.task(),
                        null,
                        null,
                        null);
        return new SmallJob(
                new JobSpec(
                        job.name(),
                        new Work.Gradient(data, job.model(), job.train(), job.strategy()),
                        job.cluster(),
                        job.checkpoint(),
                        job.seed()));
    }

    private SmallJob with(ModelSpec model, StrategySpec strategy) {
        return new SmallJob(
                new JobSpec(
                        job.name(),
                        new Work.Gradient(job.data(), model, job.train(), strategy),
                        job.cluster(),
                        job.checkpoint(),
                        job.seed()));
    }

    private SmallJob with(OptimizerSpec optimizer, double clipNorm, Precision precision) {
        return with(optimizer, clipNorm, precision, job.train().evaluateEverySteps());
    }

    private SmallJob with(
            OptimizerSpec optimizer, double clipNorm, Precision precision, long evaluateEvery) {
        TrainSpec t = job.train();
        TrainSpec train =
                new TrainSpec(
                        t.budget(),
                        t.batch(),
                        t.loss(),
                        optimizer,
                        t.schedule(),
                        clipNorm,
                        t.accumulate(),
                        precision,
                        t.metrics(),
                        evaluateEvery,
                        t.stop(),
                        t.groups(),
                        t.callbacks());
        return new SmallJob(job.with(train, job.checkpoint()));
    }

    /** Words that follow each other with some regularity, so that there is something to learn. */
    private static String text(long seed, int words) {
        String[] vocabulary = {"tree", "river", "stone", "light", "wind", "night", "fire", "snow"};
        RandomGenerator random = Seeds.generator(seed);
        StringBuilder text = new StringBuilder();
        int word = 0;
        for (int i = 0; i < words; i++) {
            word =
                    random.nextInt(4) == 0
                            ? random.nextInt(vocabulary.length)
                            : (word + 3) % vocabulary.length;
            text.append(vocabulary[word]).append(i % 9 == 8 ? ".\n" : " ");
        }
        return text.toString();
    }
}
