package dev.medley.tensor.loss;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.custom.UserClass;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the losses that Medley knows. */
public final class LossFunctions {
    /** The target of a token that is not asked for. */
    public static final long IGNORED_TOKEN = -1;

    /** Its logarithm is finite in FLOAT32, and what is multiplied with it is 0 for a count of 0. */
    private static final double LEAST_RATE = 1e-30;

    private static final Set<TargetKind> INDICES = Set.of(TargetKind.CLASSES, TargetKind.TOKENS);

    private LossFunctions() {}

    /**
     * The loss that a job trains by: with smooth labels where it asks for them.
     *
     * @throws dev.medley.base.ConfigException if it does not fit the target
     */
    public static LossFunction training(LossSpec spec, Target target) {
        LossKind kind = kind(spec, target);
        check(
                spec.labelSmoothing() == 0
                        || kind == LossKind.CROSS_ENTROPY
                        || kind == LossKind.BINARY_CROSS_ENTROPY,
                "train.label_smoothing=%s goes with cross-entropy, but the loss is %s: leave it"
                        + " out",
                spec.labelSmoothing(),
                word(kind));
        return of(spec, target, spec.labelSmoothing());
    }

    /**
     * The loss that a job evaluates by.
     *
     * @throws dev.medley.base.ConfigException if it does not fit the target
     */
    public static LossFunction of(LossSpec spec, Target target) {
        return of(spec, target, 0);
    }

    private static LossKind kind(LossSpec spec, Target target) {
        return spec.kind() != LossKind.AUTO
                ? spec.kind()
                : target.isRate() ? LossKind.POISSON : automatic(target.kind());
    }

    private static LossFunction of(LossSpec spec, Target target, double smoothing) {
        LossKind kind = kind(spec, target);
        LossFunction loss = of(kind, spec, target, smoothing);
        boolean isOfSamples = kind != LossKind.CUSTOM && target.kind() != TargetKind.TOKENS;
        if (!spec.weights().values().isEmpty()) {
            ClassWeighted.require(loss);
            return new ClassWeighted(loss, spec.weights().values());
        }
        return isOfSamples ? new OfSamples(loss) : loss;
    }

    private static LossFunction of(LossKind kind, LossSpec spec, Target target, double smoothing) {
        return switch (kind) {
            case CROSS_ENTROPY -> {
                requireTarget(kind, target, INDICES.contains(target.kind()));
                yield new CrossEntropy(smoothing);
            }
            case BINARY_CROSS_ENTROPY -> {
                requireTarget(kind, target, target.kind() == TargetKind.BINARY);
                yield binaryCrossEntropy(smoothing);
            }
            case MEAN_SQUARED_ERROR -> {
                requireTarget(kind, target, !INDICES.contains(target.kind()));
                yield target.kind() == TargetKind.VALUES
                        ? meanSquaredErrors(target.outputs())
                        : meanSquaredError(target.deviation());
            }
            case HINGE -> {
                boolean fits = target.kind() == TargetKind.BINARY;
                requireTarget(kind, target, fits || target.kind() == TargetKind.CLASSES);
                yield fits ? binaryHinge() : multiClassHinge();
            }
            case SQUARED_HINGE -> {
                requireTarget(kind, target, target.kind() == TargetKind.BINARY);
                yield squaredHinge();
            }
            case POISSON -> {
                requireTarget(kind, target, target.isRate());
                yield poisson();
            }
            case CUSTOM ->
                    UserClass.create(
                            Objects.requireNonNull(spec.custom()),
                            LossFunction.class,
                            "train.loss");
            case AUTO -> throw new IllegalStateException("AUTO was replaced above");
        };
    }

    /** The loss that fits a kind of target. */
    public static LossKind automatic(TargetKind kind) {
        return switch (kind) {
            case BINARY -> LossKind.BINARY_CROSS_ENTROPY;
            case CLASSES, TOKENS -> LossKind.CROSS_ENTROPY;
            case VALUE, VALUES -> LossKind.MEAN_SQUARED_ERROR;
            case GRADE -> throw new IllegalStateException("networks do not rank");
            case NONE -> throw new IllegalStateException("nothing is predicted");
        };
    }

    /** Cross-entropy of classes or tokens; a target of {@link #IGNORED_TOKEN} counts nothing. */
    public static LossFunction crossEntropy() {
        return new CrossEntropy(0);
    }

    /** Cross-entropy of two classes; one output, the logit of class 1. */
    public static LossFunction binaryCrossEntropy() {
        return binaryCrossEntropy(0);
    }

    private static LossFunction binaryCrossEntropy(double smoothing) {
        return new Simple(
                (outputs, target) ->
                        Functional.binaryCrossEntropySum(flat(outputs), smooth(target, smoothing)),
                (outputs, target) ->
                        Functional.binaryCrossEntropies(flat(outputs), smooth(target, smoothing)));
    }

    private static Tensor smooth(Tensor target, double smoothing) {
        return smoothing == 0 ? target : target.times(1 - smoothing).plus(smoothing / 2);
    }

    /**
     * Squared difference of one output and the target, in units of the target's variance: so its
     * gradients are of the size of 1 whatever the target is counted in.
     */
    public static LossFunction meanSquaredError(double deviation) {
        double variance = deviation * deviation;
        return new Simple(
                (outputs, target) -> {
                    Tensor sum = Functional.squaredErrorSum(flat(outputs), target);
                    return variance == 1 ? sum : sum.times(1 / variance);
                },
                (outputs, target) -> {
                    Tensor error = flat(outputs).minus(target);
                    return error.times(error).times(1 / variance);
                });
    }

    /** Mean over a sample's numbers of the squared differences of outputs and targets. */
    public static LossFunction meanSquaredErrors(int numbers) {
        double share = 1.0 / numbers;
        return new Simple(
                (outputs, target) -> Functional.squaredErrorSum(outputs, target).times(share),
                (outputs, target) -> {
                    Tensor error = outputs.minus(target);
                    return error.times(error).sum(1).times(share);
                });
    }

    /**
     * Half the deviance of counts from rates: rate - count + count ln(count / rate), which is 0
     * where they are equal.
     */
    public static LossFunction poisson() {
        return new Simple(
                (rates, counts) -> halfDeviances(rates, counts).sum(),
                LossFunctions::halfDeviances);
    }

    private static Tensor halfDeviances(Tensor rates, Tensor counts) {
        Tensor rate = Functional.clamp(flat(rates), LEAST_RATE, Float.MAX_VALUE);
        Tensor count = Functional.clamp(counts, LEAST_RATE, Float.MAX_VALUE);
        Tensor apart = Functional.log(count).minus(Functional.log(rate)).times(counts);
        return rate.minus(counts).plus(apart);
    }

    /** max(0, 1 - y x) with y = -1 for class 0 and 1 for class 1. */
    public static LossFunction binaryHinge() {
        return new Simple(
                (outputs, target) -> margins(outputs, target).sum(), LossFunctions::margins);
    }

    /** The square of {@link #binaryHinge}, which is smooth. */
    public static LossFunction squaredHinge() {
        return new Simple(
                (outputs, target) -> squaredMargins(outputs, target).sum(),
                LossFunctions::squaredMargins);
    }

    private static Tensor squaredMargins(Tensor outputs, Tensor target) {
        Tensor margins = margins(outputs, target);
        return margins.times(margins);
    }

    private static Tensor margins(Tensor outputs, Tensor target) {
        return Functional.relu(flat(outputs).times(target.times(2).plus(-1)).times(-1).plus(1));
    }

    /** Mean over the other classes' margins, as PyTorch's multi-margin loss defines it. */
    public static LossFunction multiClassHinge() {
        return new Simple(Functional::multiMarginSum, Functional::multiMargins);
    }

    private interface Formula {
        Tensor of(Tensor outputs, Tensor target);
    }

    private record Simple(Formula ofAll, Formula ofEach) implements LossFunction {
        @Override
        public Tensor sum(Tensor outputs, Tensor target) {
            return ofAll.of(outputs, target);
        }

        @Override
        public Tensor each(Tensor outputs, Tensor target) {
            return ofEach.of(outputs, target);
        }
    }

    private static Tensor flat(Tensor outputs) {
        return outputs.reshape(-1);
    }

    private static void requireTarget(LossKind loss, Target target, boolean fits) {
        check(
                fits,
                "train.loss=%s does not fit what is predicted, which is %s: use auto, or another"
                        + " loss",
                word(loss),
                switch (target.kind()) {
                    case BINARY -> "one of two classes";
                    case CLASSES -> "one of " + target.outputs() + " classes";
                    case VALUE -> target.isRate() ? "a rate" : "a number";
                    case GRADE -> "a grade";
                    case VALUES -> target.outputs() + " numbers";
                    case TOKENS -> "the next token";
                    case NONE -> "nothing that samples hold";
                });
    }

    private static String word(LossKind loss) {
        return loss.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A loss in which each sample weighs one. */
    private record OfSamples(LossFunction loss) implements LossFunction {
        @Override
        public Tensor sum(Tensor outputs, Tensor target) {
            return loss.sum(outputs, target);
        }

        @Override
        public @Nullable Tensor each(Tensor outputs, Tensor target) {
            return loss.each(outputs, target);
        }

        @Override
        public boolean countsSamples() {
            return true;
        }
    }

    private record CrossEntropy(double smoothing) implements LossFunction {
        @Override
        public Tensor sum(Tensor outputs, Tensor target) {
            return Functional.crossEntropySum(
                    outputs.reshape(-1, outputs.size(-1)),
                    target.reshape(-1),
                    IGNORED_TOKEN,
                    smoothing);
        }

        @Override
        public @Nullable Tensor each(Tensor outputs, Tensor target) {
            return target.rank() == 1
                    ? Functional.crossEntropies(outputs, target, smoothing)
                    : null;
        }

        @Override
        public double weight(Tensor target) {
            return target.rank() == 1
                    ? target.size(0)
                    : target.differsFrom(IGNORED_TOKEN).sum().item();
        }
    }
}
