package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.text.DidYouMean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of training: budget, batch, loss, optimizer, evaluation and early stopping.
 *
 * <p>Long because each group of settings has a record of its own here, with its checks.
 *
 * @param budget when training ends at the latest
 * @param batch samples of one step over all workers; {@link #ALL} for all there are
 * @param loss what is minimised
 * @param optimizer how parameters follow the gradient
 * @param schedule of the learning rate
 * @param clipNorm largest norm of the global gradient; 0 for no limit
 * @param accumulate micro-batches that one step is cut into, on every worker
 * @param precision of forward and backward
 * @param metrics computed at every evaluation, the first is the one that decides; empty for those
 *     that suit the target, see {@link #metricsFor}
 * @param evaluateEverySteps steps between evaluations; 0 for once an epoch
 * @param stop when to end early
 * @param groups parameters that are treated differently, the first match holds
 * @param callbacks classes that watch the run
 * @param batches whether the batch adapts. Null, as in the records of versions that had no such
 *     component, is CONSTANT
 * @param threshold what the threshold between two classes is to maximise; null for the usual one
 */
public record TrainSpec(
        Budget budget,
        int batch,
        LossSpec loss,
        OptimizerSpec optimizer,
        ScheduleSpec schedule,
        double clipNorm,
        int accumulate,
        Precision precision,
        List<MetricSpec> metrics,
        long evaluateEverySteps,
        StopSpec stop,
        List<ParameterGroupSpec> groups,
        List<ClassSpec> callbacks,
        BatchesSpec batches,
        @Nullable ThresholdSpec threshold) {
    /** A batch that is all training samples, however many these are. */
    public static final int ALL = Integer.MAX_VALUE;

    /** Rows of a ranking by which it is judged where a job says nothing else. */
    private static final int USUAL_NDCG = 10;

    public TrainSpec {
        batches = Objects.requireNonNullElse(batches, BatchesSpec.CONSTANT);
        metrics = List.copyOf(metrics);
        groups = List.copyOf(groups);
        callbacks = List.copyOf(callbacks);
        check(batch >= 1, "train.batch=%d: at least 1", batch);
        check(clipNorm >= 0, "train.clip_norm=%s: 0 for none, or above", clipNorm);
        check(accumulate >= 1, "train.accumulate=%d: at least 1", accumulate);
        check(
                evaluateEverySteps >= 0,
                "train.evaluate_every=%d: 0 or more steps",
                evaluateEverySteps);
        check(
                !batches.isAdaptive() || batches.largest() >= batch,
                "train.batch_from=%d > train.batch_to=%d: an adaptive batch grows from the first to"
                        + " the second",
                batch,
                batches.largest());
    }

    /** A job whose batch stays, with the usual threshold. */
    public TrainSpec(
            Budget budget,
            int batch,
            LossSpec loss,
            OptimizerSpec optimizer,
            ScheduleSpec schedule,
            double clipNorm,
            int accumulate,
            Precision precision,
            List<MetricSpec> metrics,
            long evaluateEverySteps,
            StopSpec stop,
            List<ParameterGroupSpec> groups,
            List<ClassSpec> callbacks) {
        this(
                budget,
                batch,
                loss,
                optimizer,
                schedule,
                clipNorm,
                accumulate,
                precision,
                metrics,
                evaluateEverySteps,
                stop,
                groups,
                callbacks,
                BatchesSpec.CONSTANT,
                null);
    }

    /** The same with another batch. */
    public TrainSpec withBatch(int samples) {
        return new TrainSpec(
                budget,
                samples,
                loss,
                optimizer,
                schedule,
                clipNorm,
                accumulate,
                precision,
                metrics,
                evaluateEverySteps,
                stop,
                groups,
                callbacks,
                batches,
                threshold);
    }

    /** The same with other metrics. */
    public TrainSpec with(List<MetricSpec> others) {
        return new TrainSpec(
                budget,
                batch,
                loss,
                optimizer,
                schedule,
                clipNorm,
                accumulate,
                precision,
                others,
                evaluateEverySteps,
                stop,
                groups,
                callbacks,
                batches,
                threshold);
    }

    /** The same, with a batch that adapts or not. */
    public TrainSpec with(BatchesSpec changed) {
        return new TrainSpec(
                budget,
                batch,
                loss,
                optimizer,
                schedule,
                clipNorm,
                accumulate,
                precision,
                metrics,
                evaluateEverySteps,
                stop,
                groups,
                callbacks,
                changed,
                threshold);
    }

    /** Whether a step takes all training samples, however many these are. */
    public boolean takesAllSamples() {
        return batch == ALL || optimizer.takesAllSamples();
    }

    /** Most samples that a step may take over all workers. */
    public int largestBatch() {
        return batches.isAdaptive() ? batches.largest() : batch;
    }

    /**
     * Whether the batch adapts to the gradient's noise.
     *
     * @param largest that it may become; 0 where it stays what it is
     * @param noise whether the gradient's noise is measured also where the batch stays
     */
    public record BatchesSpec(int largest, boolean noise) {
        /** The batch stays, and nothing is measured. */
        public static final BatchesSpec CONSTANT = new BatchesSpec(0, false);

        public BatchesSpec {
            check(largest >= 0, "train.batch_to=%d: at least 1", largest);
        }

        /** Whether the batch may change. */
        public boolean isAdaptive() {
            return largest > 0;
        }

        /** Whether steps measure the gradient's noise. */
        public boolean measuresNoise() {
            return noise || isAdaptive();
        }
    }

    /**
     * The metrics of a run: those that were asked for, else what suits the target. The first
     * decides about early stopping and the best model.
     */
    public List<MetricSpec> metricsFor(Signature.Target target) {
        return metrics.isEmpty() && target.isRate()
                ? Stream.of(MetricKind.POISSON_DEVIANCE, MetricKind.MAE, MetricKind.R2)
                        .map(MetricSpec::of)
                        .toList()
                : metricsFor(target.kind());
    }

    /** The same of a target whose outputs are proportional to it. */
    public List<MetricSpec> metricsFor(Signature.TargetKind target) {
        return metrics.isEmpty() ? usualMetrics(target) : metrics;
    }

    /** The metrics that suit a target. */
    public static List<MetricSpec> usualMetrics(Signature.TargetKind target) {
        return switch (target) {
            case BINARY -> usual(MetricKind.AUC, MetricKind.ACCURACY, MetricKind.LOG_LOSS);
            case CLASSES -> usual(MetricKind.ACCURACY, MetricKind.LOG_LOSS);
            case VALUE -> usual(MetricKind.RMSE, MetricKind.MAE, MetricKind.R2);
            case VALUES -> usual(MetricKind.MSE, MetricKind.MAE);
            case GRADE ->
                    List.of(
                            MetricSpec.ranking(MetricKind.NDCG, USUAL_NDCG),
                            MetricSpec.of(MetricKind.NDCG));
            case NONE -> usual(MetricKind.INERTIA);
            case TOKENS -> usual(MetricKind.LOSS, MetricKind.PERPLEXITY);
        };
    }

    private static List<MetricSpec> usual(MetricKind... kinds) {
        return Stream.of(kinds).map(MetricSpec::of).toList();
    }

    /**
     * When training ends at the latest: whichever limit comes first; a limit of 0 is none.
     *
     * @param epochs passes over the training samples
     * @param steps updates
     * @param seconds of training
     * @param leastSteps that {@code epochs} allow however few samples there are; 0, as in the
     *     records of versions that had no such component, for as many as they are
     */
    public record Budget(
            double epochs,
            long steps,
            double seconds,
            @JsonSetter(nulls = Nulls.AS_EMPTY) long leastSteps) {
        /** Parts of {@link #leastSteps} after which short epochs are evaluated. */
        private static final long LOOKS = 50;

        public Budget {
            check(
                    leastSteps == 0 || (leastSteps > 0 && epochs > 0),
                    "train.least_steps=%d: 0 or more, and only beside train.epochs, which it"
                            + " extends",
                    leastSteps);
            check(
                    epochs >= 0 && steps >= 0 && seconds >= 0 && epochs + steps + seconds > 0,
                    "train: epochs=%s, steps=%d, seconds=%s: at least one above 0",
                    epochs,
                    steps,
                    seconds);
        }

        /** Epochs that are as long as they are. */
        public Budget(double epochs, long steps, double seconds) {
            this(epochs, steps, seconds, 0);
        }

        /**
         * Steps between two evaluations of a run that says nothing of them; 0 for an epoch. Epochs
         * so short that there would be more than 50 evaluations in the least steps are looked at
         * together.
         */
        public long evaluateEvery(long stepsPerEpoch) {
            return stepsPerEpoch * LOOKS < leastSteps ? (leastSteps + LOOKS - 1) / LOOKS : 0;
        }

        /** Whole or part epochs. */
        public static Budget ofEpochs(double epochs) {
            return new Budget(epochs, 0, 0);
        }

        /**
         * Steps that the epochs and the steps allow; {@link Long#MAX_VALUE} if only time limits.
         */
        public long maxSteps(long stepsPerEpoch) {
            long byEpochs =
                    epochs > 0
                            ? Math.max(Math.max(1, leastSteps), Math.round(epochs * stepsPerEpoch))
                            : Long.MAX_VALUE;
            return steps > 0 ? Math.min(steps, byEpochs) : byEpochs;
        }
    }

    /** Arithmetic of forward and backward; parameters and updates stay in the model's own type. */
    public enum Precision {
        FP32,
        BF16,
        /** bf16 where this machine is fast at it, guarded by a shadow loss in fp32. */
        AUTO,
        /** Everything in double; for checks. */
        FP64
    }

    /** The losses that Medley knows. */
    public enum LossKind {
        /** As the target asks. */
        AUTO,
        CROSS_ENTROPY,
        BINARY_CROSS_ENTROPY,
        MEAN_SQUARED_ERROR,
        HINGE,
        SQUARED_HINGE,
        /** Half the deviance of counts. */
        POISSON,
        CUSTOM
    }

    /**
     * The weights of the classes in the loss.
     *
     * @param isBalanced whether classes weigh the less the more samples they have, so that all of a
     *     class weigh as much as all of another
     * @param byClass by name of class, else; those that are not named weigh one
     * @param values in the order of classes, once these are known; empty until then
     */
    public record ClassWeights(
            boolean isBalanced, Map<String, Double> byClass, List<Double> values) {
        /** All samples weigh one. */
        public static final ClassWeights NONE = new ClassWeights(false, Map.of(), List.of());

        /** All samples of a class weigh as much as all of another. */
        public static final ClassWeights BALANCED = new ClassWeights(true, Map.of(), List.of());

        public ClassWeights {
            byClass = Collections.unmodifiableMap(new LinkedHashMap<>(byClass));
            values = List.copyOf(values);
            byClass.forEach(
                    (name, weight) ->
                            check(
                                    weight >= 0 && Double.isFinite(weight),
                                    "train.class_weights: class '%s' weighs %s: 0 or more",
                                    name,
                                    weight));
        }

        /** Whether nothing was asked for. */
        public boolean areNone() {
            return !isBalanced && byClass.isEmpty();
        }

        /**
         * Refuses weights for what has other classes.
         *
         * @param classes all of the data; none where it has none
         */
        public void require(List<String> classes) {
            if (!areNone()) {
                requireClasses(!classes.isEmpty());
                requireNames(classes);
            }
        }

        private static void requireClasses(boolean hasClasses) {
            check(
                    hasClasses,
                    "train.class_weights: what is predicted has no classes; leave them out");
        }

        private void requireNames(List<String> classes) {
            for (String name : byClass.keySet()) {
                check(
                        classes.contains(name),
                        "train.class_weights: there is no class '%s'%s; the classes are: %s",
                        name,
                        DidYouMean.of(name, classes)
                                .map(near -> ", did you mean '" + near + "'?")
                                .orElse(""),
                        String.join(", ", classes));
            }
        }

        /**
         * With what each class weighs.
         *
         * @param counts training samples of each class
         * @throws dev.medley.base.ConfigException if the target has no classes, or not the named
         */
        public ClassWeights of(Signature.Target target, List<Long> counts) {
            if (areNone()) {
                return this;
            }
            List<String> classes = target.labels();
            boolean hasClasses =
                    target.kind() == Signature.TargetKind.BINARY
                            || target.kind() == Signature.TargetKind.CLASSES;
            requireClasses(hasClasses);
            requireNames(classes);
            check(
                    !isBalanced || !counts.isEmpty(),
                    "train.class_weights: balanced needs to know how many samples each class has,"
                            + " which this data does not tell; give each class its weight");
            long all = counts.stream().mapToLong(Long::longValue).sum();
            List<Double> found = new ArrayList<>();
            int outputs = Math.max(2, target.outputs());
            for (int c = 0; c < outputs; c++) {
                found.add(
                        isBalanced
                                ? (double) all / (outputs * Math.max(1, counts.get(c)))
                                : c < classes.size()
                                        ? byClass.getOrDefault(classes.get(c), 1.0)
                                        : 1.0);
            }
            check(
                    found.stream().anyMatch(weight -> weight > 0),
                    "train.class_weights: all classes weigh 0, so there is nothing to learn; give"
                            + " one at least more");
            return new ClassWeights(isBalanced, byClass, found);
        }
    }

    /**
     * The loss that is minimised.
     *
     * @param custom is set for {@link LossKind#CUSTOM} only
     * @param weights of classes
     * @param labelSmoothing share of a label that training deals out to all classes alike (Szegedy
     *     et al. 2016); validation does not. 0 for none, as in the records of versions that had no
     *     such component
     */
    public record LossSpec(
            LossKind kind,
            @Nullable ClassSpec custom,
            ClassWeights weights,
            @JsonSetter(nulls = Nulls.AS_EMPTY) double labelSmoothing) {
        /** A loss in which all samples weigh one. */
        public LossSpec(LossKind kind, @Nullable ClassSpec custom) {
            this(kind, custom, ClassWeights.NONE, 0);
        }

        /** With what each class of this data weighs; see {@link ClassWeights#of}. */
        public LossSpec of(Signature.Target target, List<Long> counts) {
            return with(weights.of(target, counts));
        }

        /** The same with other weights. */
        public LossSpec with(ClassWeights others) {
            return new LossSpec(kind, custom, others, labelSmoothing);
        }

        /** The same with other labels. */
        public LossSpec smoothing(double share) {
            return new LossSpec(kind, custom, weights, share);
        }

        public LossSpec {
            weights = Objects.requireNonNullElse(weights, ClassWeights.NONE);
            check(
                    labelSmoothing >= 0 && labelSmoothing < 1,
                    "train.label_smoothing=%s: from 0 to below 1",
                    labelSmoothing);
            check(
                    (kind == LossKind.CUSTOM) == (custom != null),
                    "train.loss=%s and class %s: a class goes with loss custom, and only there",
                    kind,
                    custom);
        }

        /** As the target asks. */
        public static LossSpec auto() {
            return new LossSpec(LossKind.AUTO, null);
        }
    }

    /** The metrics that Medley knows. */
    public enum MetricKind {
        LOSS,
        ACCURACY,
        /** Whether what is true is among the first so many. */
        TOP_ACCURACY,
        AUC,
        /** Average precision. */
        PR_AUC,
        /** Of the second of two classes; of several the mean over the classes. So the next two. */
        PRECISION,
        RECALL,
        F1,
        LOG_LOSS,
        MSE,
        RMSE,
        MAE,
        R2,
        /** Mean deviance of counts from their rates. */
        POISSON_DEVIANCE,
        PERPLEXITY,
        /**
         * Normalised discounted cumulative gain: of rankings, of the first so many rows or all; of
         * implicit feedback, of the first so many items of a user.
         */
        NDCG,
        /** The share of a user's items that are among the first so many. */
        RECALL_AT,
        /** Sum of squared distances to the nearest centre. */
        INERTIA,
        CUSTOM
    }

    /**
     * A metric that is reported.
     *
     * @param custom set for {@link MetricKind#CUSTOM} only
     * @param top how many are looked at, of {@link MetricKind#TOP_ACCURACY}, {@link
     *     MetricKind#RECALL_AT} and {@link MetricKind#NDCG}; else 0 for all, as in the records of
     *     versions that had no such component
     */
    public record MetricSpec(
            MetricKind kind,
            @Nullable ClassSpec custom,
            @JsonSetter(nulls = Nulls.AS_EMPTY) int top) {
        private static final Pattern TOP = Pattern.compile("top_([1-9]\\d{0,4})_accuracy");
        private static final Pattern RANKING = Pattern.compile("(recall|ndcg)@([1-9]\\d{0,4})");

        public MetricSpec {
            check(
                    kind == MetricKind.NDCG
                            ? top >= 0
                            : (kind == MetricKind.TOP_ACCURACY || kind == MetricKind.RECALL_AT)
                                    == (top > 0),
                    "train.metrics: %s of the first %d",
                    kind,
                    top);
        }

        /** A metric of somebody's own. */
        public MetricSpec(MetricKind kind, @Nullable ClassSpec custom) {
            this(kind, custom, 0);
        }

        /** A metric of Medley's own. */
        public static MetricSpec of(MetricKind kind) {
            return new MetricSpec(kind, null);
        }

        /** Whether what is true is among the {@code top} likeliest. */
        public static MetricSpec topAccuracy(int top) {
            return new MetricSpec(MetricKind.TOP_ACCURACY, null, top);
        }

        /** Whether it judges an order. */
        public boolean isRanking() {
            return kind == MetricKind.RECALL_AT || kind == MetricKind.NDCG;
        }

        /** Of the first {@code top} rows of rankings, or items of users. */
        public static MetricSpec ranking(MetricKind kind, int top) {
            return new MetricSpec(kind, null, top);
        }

        /** The metric of Medley's own that has this {@link #name}. */
        public static MetricSpec named(String name) {
            Matcher ranking = RANKING.matcher(name);
            if (ranking.matches()) {
                boolean isRecall = ranking.group(1).equals("recall");
                return ranking(
                        isRecall ? MetricKind.RECALL_AT : MetricKind.NDCG,
                        Integer.parseInt(ranking.group(2)));
            }
            Matcher top = TOP.matcher(name);
            return top.matches()
                    ? topAccuracy(Integer.parseInt(top.group(1)))
                    : of(MetricKind.valueOf(name.toUpperCase(Locale.ROOT)));
        }

        /** Its name in job files, records and everywhere else; a class for somebody's own. */
        public String name() {
            if (custom != null) {
                return custom.className();
            } else if (top == 0) {
                return kind.name().toLowerCase(Locale.ROOT);
            }
            return switch (kind) {
                case NDCG -> "ndcg@" + top;
                case RECALL_AT -> "recall@" + top;
                default -> "top_" + top + "_accuracy";
            };
        }
    }

    /**
     * When to end early, by the first metric.
     *
     * @param target value at which training ends; null for none
     * @param patience evaluations without improvement after which training ends; 0 for never
     * @param minGain smallest change that counts as an improvement
     * @param patienceSteps steps that must have passed since then, too; 0, as in the records of
     *     versions that had no such component, for as many as they are. Above 0 a lower loss is an
     *     improvement where the metric is as good as before, or no number
     */
    public record StopSpec(
            @Nullable Double target,
            int patience,
            double minGain,
            @JsonSetter(nulls = Nulls.AS_EMPTY) long patienceSteps) {
        public StopSpec {
            check(
                    patienceSteps >= 0,
                    "train.stop.patience_steps=%d: 0 for none, or steps",
                    patienceSteps);
            check(patience >= 0, "train.stop.patience=%d: 0 for never, or evaluations", patience);
            check(minGain >= 0, "train.stop.min_gain=%s: 0 or more", minGain);
        }

        /** A patience that counts evaluations alone. */
        public StopSpec(@Nullable Double target, int patience, double minGain) {
            this(target, patience, minGain, 0);
        }

        /** Never. */
        public static StopSpec never() {
            return new StopSpec(null, 0, 0);
        }
    }

    /**
     * Parameters that are treated differently.
     *
     * @param pattern of parameter names, {@code *} for any characters: {@code "*.bias"}
     * @param frozen whether they stay as they are
     * @param learningRate their own rate; null for the optimizer's
     * @param weightDecay their own decay; null for the optimizer's
     */
    public record ParameterGroupSpec(
            String pattern,
            boolean frozen,
            @Nullable Double learningRate,
            @Nullable Double weightDecay) {}
}
