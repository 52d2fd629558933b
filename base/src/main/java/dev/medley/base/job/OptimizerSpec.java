package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rule by which parameters follow the gradient, with PyTorch's definitions.
 *
 * @param kind the rule
 * @param learningRate before the schedule
 * @param momentum of SGD and RMSprop
 * @param nesterov whether SGD's momentum looks ahead
 * @param beta1 decay of Adam's first moment
 * @param beta2 decay of Adam's second moment, or of RMSprop's mean square
 * @param epsilon added to denominators
 * @param weightDecay decoupled for AdamW, an L2 term for the others
 * @param quasiNewton what L-BFGS takes; null for the others
 * @param l1 times the sum of the weights' sizes is added to the mean loss: of SGD, which shrinks
 *     weights towards 0 after each step; 0 for the others, and in the records of versions that had
 *     no such component. That of L-BFGS is among its own settings
 */
public record OptimizerSpec(
        Kind kind,
        double learningRate,
        double momentum,
        boolean nesterov,
        double beta1,
        double beta2,
        double epsilon,
        double weightDecay,
        @Nullable QuasiNewton quasiNewton,
        @JsonSetter(nulls = Nulls.AS_EMPTY) double l1) {
    /** The rules. */
    public enum Kind {
        SGD,
        ADAM,
        ADAMW,
        RMSPROP,
        /** Each element at a rate of its own, which falls with the squares of its gradients. */
        ADAGRAD,
        /** By the sums over all samples, until it has converged; of convex losses. */
        LBFGS
    }

    /**
     * The settings of L-BFGS.
     *
     * @param history steps that the approximation of second derivatives rests on
     * @param tolerance of the largest element of the gradient of the mean loss, at which it ends
     * @param l1 times the sum of the weights' sizes is added to the mean loss
     * @param withoutErrors whether nobody asks for standard errors; not so in the records of
     *     versions that had no such component
     */
    public record QuasiNewton(
            int history,
            double tolerance,
            double l1,
            @JsonSetter(nulls = Nulls.AS_EMPTY) boolean withoutErrors) {
        /** Ten steps, 1e-6, and no penalty. */
        public static final QuasiNewton DEFAULTS = new QuasiNewton(10, 1e-6, 0);

        public QuasiNewton {
            check(history >= 1, "train.optimizer.history=%d: at least 1", history);
            check(tolerance > 0, "train.optimizer.tolerance=%s: above 0", tolerance);
            check(l1 >= 0, "train.optimizer.l1=%s: 0 or more", l1);
        }

        /** With standard errors, where the loss has them. */
        public QuasiNewton(int history, double tolerance, double l1) {
            this(history, tolerance, l1, false);
        }
    }

    public OptimizerSpec {
        check(learningRate > 0, "train.optimizer.learning_rate=%s: above 0", learningRate);
        check(
                momentum >= 0 && momentum < 1,
                "train.optimizer.momentum=%s: from 0 to below 1",
                momentum);
        check(!nesterov || momentum > 0, "train.optimizer.nesterov needs momentum above 0");
        check(beta1 >= 0 && beta1 < 1, "train.optimizer.beta1=%s: from 0 to below 1", beta1);
        check(beta2 >= 0 && beta2 < 1, "train.optimizer.beta2=%s: from 0 to below 1", beta2);
        check(epsilon > 0, "train.optimizer.epsilon=%s: above 0", epsilon);
        quasiNewton =
                kind == Kind.LBFGS
                        ? Objects.requireNonNullElse(quasiNewton, QuasiNewton.DEFAULTS)
                        : null;
        check(
                l1 >= 0 && (l1 == 0 || kind == Kind.SGD),
                "train.optimizer.l1=%s: 0 or more, of sgd and lbfgs",
                l1);
        check(weightDecay >= 0, "train.optimizer.weight_decay=%s: 0 or more", weightDecay);
    }

    /** A rule by gradients of batches. */
    public OptimizerSpec(
            Kind kind,
            double learningRate,
            double momentum,
            boolean nesterov,
            double beta1,
            double beta2,
            double epsilon,
            double weightDecay) {
        this(kind, learningRate, momentum, nesterov, beta1, beta2, epsilon, weightDecay, null, 0);
    }

    /** PyTorch's defaults of a rule; SGD with 0.1, RMSprop and Adagrad with 0.01, others 0.001. */
    public static OptimizerSpec defaults(Kind kind) {
        return switch (kind) {
            case SGD -> new OptimizerSpec(kind, 0.1, 0, false, 0.9, 0.999, 1e-8, 0);
            case ADAM -> new OptimizerSpec(kind, 1e-3, 0, false, 0.9, 0.999, 1e-8, 0);
            case ADAMW -> new OptimizerSpec(kind, 1e-3, 0, false, 0.9, 0.999, 1e-8, 0.01);
            case RMSPROP -> new OptimizerSpec(kind, 0.01, 0, false, 0.9, 0.99, 1e-8, 0);
            case ADAGRAD -> new OptimizerSpec(kind, 0.01, 0, false, 0.9, 0.999, 1e-10, 0);
            case LBFGS -> new OptimizerSpec(kind, 1, 0, false, 0.9, 0.999, 1e-8, 0);
        };
    }

    /** The same rule with another learning rate. */
    public OptimizerSpec withLearningRate(double rate) {
        return new OptimizerSpec(
                kind,
                rate,
                momentum,
                nesterov,
                beta1,
                beta2,
                epsilon,
                weightDecay,
                quasiNewton,
                l1);
    }

    /** The same rule with other settings of L-BFGS. */
    public OptimizerSpec with(QuasiNewton changed) {
        return new OptimizerSpec(
                kind,
                learningRate,
                momentum,
                nesterov,
                beta1,
                beta2,
                epsilon,
                weightDecay,
                changed,
                l1);
    }

    /** Whether a step takes all samples, and its sums in place of a gradient of a batch. */
    public boolean takesAllSamples() {
        return kind == Kind.LBFGS;
    }

    /** The same rule without momentum. */
    public OptimizerSpec withoutMomentum() {
        return new OptimizerSpec(kind, learningRate, 0, false, beta1, beta2, epsilon, weightDecay);
    }

    /** Whether it is Adam, by whatever weight decay. */
    public boolean isAdam() {
        return kind == Kind.ADAM || kind == Kind.ADAMW;
    }

    /** The same rule with another weight decay. */
    public OptimizerSpec withWeightDecay(double decay) {
        return new OptimizerSpec(
                kind,
                learningRate,
                momentum,
                nesterov,
                beta1,
                beta2,
                epsilon,
                decay,
                quasiNewton,
                l1);
    }

    /** SGD with a penalty on the sizes of weights. */
    public OptimizerSpec withL1(double penalty) {
        return new OptimizerSpec(
                kind,
                learningRate,
                momentum,
                nesterov,
                beta1,
                beta2,
                epsilon,
                weightDecay,
                quasiNewton,
                penalty);
    }
}
