package dev.medley.api.job;

import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.ClassWeights;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code train} into a {@link TrainSpec}. */
final class TrainSection {
    private final Section train;
    private final FamilyDefaults family;

    TrainSection(Section train, FamilyDefaults family) {
        this.train = train;
        this.family = family;
    }

    /** An adaptive batch may become so many times its first. */
    private static final int MOST_GROWTH = 16;

    private static final int PARTS_OF_LEAST_STEPS = 5;

    /** Steps of L-BFGS at most; it ends long before. */
    private static final long MOST_STEPS = 1000;

    TrainSpec read() {
        return new TrainSpec(
                budget(),
                batch(),
                loss(),
                optimizer(train.section("optimizer")),
                schedule(train.section("schedule")),
                train.number("clip_norm", family.clipNorm()),
                train.count("accumulate", 1),
                train.constant("precision", TrainSpec.Precision.class, TrainSpec.Precision.FP32),
                train.sections("metrics").stream().map(TrainSection::metric).toList(),
                train.integer("evaluate_every", takesAllSamples() ? MOST_STEPS : 0),
                stop(train.section("stop")),
                train.sections("groups").stream().map(TrainSection::group).toList(),
                train.sections("callbacks").stream().map(Section::ownClass).toList(),
                batches(),
                threshold());
    }

    private @Nullable ThresholdSpec threshold() {
        if (!train.has("threshold")) {
            return null;
        }
        Section threshold = train.section("threshold");
        return new ThresholdSpec(
                threshold.constant(
                        "maximise", ThresholdSpec.Maximise.class, ThresholdSpec.Maximise.F1),
                threshold.number("true_positive", 0),
                threshold.number("false_positive", 0),
                threshold.number("true_negative", 0),
                threshold.number("false_negative", 0));
    }

    private boolean isAdaptive() {
        return train.text("batch", "").equals("adaptive");
    }

    private int batch() {
        return train.count(isAdaptive() ? "batch_from" : "batch", family.batch());
    }

    private TrainSpec.BatchesSpec batches() {
        int largest = isAdaptive() ? train.count("batch_to", MOST_GROWTH * batch()) : 0;
        return new TrainSpec.BatchesSpec(largest, train.flag("noise_scale", false));
    }

    private TrainSpec.Budget budget() {
        return new TrainSpec.Budget(
                train.number("epochs", isLimited() || takesAllSamples() ? 0 : family.epochs()),
                train.integer("steps", !isLimited() && takesAllSamples() ? MOST_STEPS : 0),
                train.duration("time", 0) / 1e9,
                leastSteps());
    }

    private long leastSteps() {
        return train.integer("least_steps", isLimited() ? 0 : ofTables().leastSteps());
    }

    /** A rule that ends when it has converged needs neither more steps nor patience. */
    private FamilyDefaults.OfTables ofTables() {
        return takesAllSamples() ? FamilyDefaults.OfTables.NONE : family.ofTables();
    }

    private boolean takesAllSamples() {
        return train.section("optimizer").text("kind", "").equals("lbfgs");
    }

    /** Whether the job says itself how long it trains. */
    private boolean isLimited() {
        return train.has("epochs") || train.has("steps") || train.has("time");
    }

    private LossSpec loss() {
        return unweighted().with(classWeights()).smoothing(train.number("label_smoothing", 0));
    }

    private ClassWeights classWeights() {
        if (!train.has("class_weights")) {
            return ClassWeights.NONE;
        }
        Section weights = train.section("class_weights");
        if (weights.isWord()) {
            return ClassWeights.BALANCED;
        }
        Map<String, Double> byClass = new LinkedHashMap<>();
        weights.keys().forEach(name -> byClass.put(name, weights.number(name, 1)));
        return new ClassWeights(false, byClass, List.of());
    }

    private LossSpec unweighted() {
        Section loss = train.section("loss");
        if (loss.has("class")) {
            return new LossSpec(LossKind.CUSTOM, loss.ownClass());
        }
        String word = train.text("loss", "auto");
        return new LossSpec(
                word.equals("mse")
                        ? LossKind.MEAN_SQUARED_ERROR
                        : Section.constant(word, LossKind.class),
                null);
    }

    private static MetricSpec metric(Section metric) {
        return metric.isWord()
                ? MetricSpec.named(metric.word())
                : new MetricSpec(MetricKind.CUSTOM, metric.ownClass());
    }

    private OptimizerSpec optimizer(Section optimizer) {
        OptimizerSpec.Kind kind =
                optimizer.constant("kind", OptimizerSpec.Kind.class, OptimizerSpec.Kind.ADAMW);
        OptimizerSpec absent = family.optimizer(kind);
        OptimizerSpec.QuasiNewton usual = OptimizerSpec.QuasiNewton.DEFAULTS;
        double l1 = optimizer.number("l1", usual.l1());
        return new OptimizerSpec(
                kind,
                optimizer.number("learning_rate", absent.learningRate()),
                optimizer.number("momentum", absent.momentum()),
                optimizer.flag("nesterov", absent.nesterov()),
                optimizer.number("beta1", absent.beta1()),
                optimizer.number("beta2", absent.beta2()),
                optimizer.number("epsilon", absent.epsilon()),
                optimizer.number("weight_decay", absent.weightDecay()),
                new OptimizerSpec.QuasiNewton(
                        optimizer.count("history", usual.history()),
                        optimizer.number("tolerance", usual.tolerance()),
                        l1,
                        !optimizer.flag("standard_errors", !usual.withoutErrors())),
                kind == OptimizerSpec.Kind.LBFGS ? 0 : l1);
    }

    /** Cosine needs an end that is known in steps; a budget of time alone has none. */
    private ScheduleSpec schedule(Section schedule) {
        boolean isEndless = train.has("time") && !train.has("epochs") && !train.has("steps");
        ScheduleSpec.Kind usual =
                isEndless || takesAllSamples()
                        ? ScheduleSpec.Kind.CONSTANT
                        : ScheduleSpec.Kind.COSINE;
        ScheduleSpec.Kind kind = schedule.constant("kind", ScheduleSpec.Kind.class, usual);
        ScheduleSpec absent = FamilyDefaults.schedule(kind);
        return new ScheduleSpec(
                kind,
                schedule.integer("warmup", absent.warmupSteps()),
                schedule.number("every", absent.stepEpochs()),
                schedule.number("factor", absent.stepFactor()),
                schedule.number("floor", absent.floor()),
                schedule.number("warmup_share", ofTables().warmupShare()));
    }

    private TrainSpec.StopSpec stop(Section stop) {
        TrainSpec.StopSpec never = TrainSpec.StopSpec.never();
        return new TrainSpec.StopSpec(
                stop.numberOrNull("target"),
                stop.count("patience", isLimited() ? never.patience() : ofTables().patience()),
                stop.number("min_gain", never.minGain()),
                stop.integer("patience_steps", patienceSteps(stop)));
    }

    /** The family's patience does not end what has hardly begun. */
    private long patienceSteps(Section stop) {
        int usual = ofTables().patience();
        boolean isOwn = isLimited() || usual == 0 || stop.count("patience", usual) != usual;
        return isOwn ? 0 : leastSteps() / PARTS_OF_LEAST_STEPS;
    }

    private static TrainSpec.ParameterGroupSpec group(Section group) {
        return new TrainSpec.ParameterGroupSpec(
                group.text("pattern", ""),
                group.flag("frozen", false),
                group.numberOrNull("learning_rate"),
                group.numberOrNull("weight_decay"));
    }
}
