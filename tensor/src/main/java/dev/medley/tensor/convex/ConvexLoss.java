package dev.medley.tensor.convex;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import java.util.Locale;
import java.util.Objects;

/** Loses by the scores of a linear model; smooth and convex, so that there is one minimum. */
enum ConvexLoss {
    /** Cross-entropy of two classes; the score is the logit of class 1. */
    LOGISTIC {
        @Override
        double of(double[] scores, double target, double[] slopes) {
            double z = scores[0];
            double small = StrictMath.exp(-Math.abs(z));
            double probability = z >= 0 ? 1 / (1 + small) : small / (1 + small);
            slopes[0] = probability - target;
            return StrictMath.log1p(small) + Math.max(z, 0) - target * z;
        }

        @Override
        double curvature(double score, double target) {
            double small = StrictMath.exp(-Math.abs(score));
            return small / ((1 + small) * (1 + small));
        }
    },
    /** Cross-entropy of several classes; a score each. */
    SOFTMAX {
        @Override
        double of(double[] scores, double target, double[] slopes) {
            double most = scores[0];
            for (double score : scores) {
                most = Math.max(most, score);
            }
            double sum = 0;
            for (int c = 0; c < scores.length; c++) {
                slopes[c] = StrictMath.exp(scores[c] - most);
                sum += slopes[c];
            }
            for (int c = 0; c < scores.length; c++) {
                slopes[c] /= sum;
            }
            slopes[(int) target] -= 1;
            return StrictMath.log(sum) + most - scores[(int) target];
        }
    },
    /** Squared difference of score and target. */
    SQUARES {
        @Override
        double of(double[] scores, double target, double[] slopes) {
            double error = scores[0] - target;
            slopes[0] = 2 * error;
            return error * error;
        }

        @Override
        double curvature(double score, double target) {
            return 2;
        }
    },
    /** Half the deviance of a count; the score is the logarithm of its rate. */
    POISSON {
        @Override
        double of(double[] scores, double target, double[] slopes) {
            double rate = rate(scores[0]);
            slopes[0] = curvature(scores[0], target) - target;
            double ofCount = target > 0 ? target * StrictMath.log(target) : 0;
            return rate - target + ofCount - target * scores[0];
        }

        @Override
        double curvature(double score, double target) {
            return StrictMath.exp(Math.min(score, FARTHEST_LOG));
        }
    },
    /** max(0, 1 - y z)^2 with y = -1 for class 0 and 1 for class 1: a support vector machine. */
    SQUARED_HINGE {
        @Override
        double of(double[] scores, double target, double[] slopes) {
            double sign = 2 * target - 1;
            double margin = Math.max(0, 1 - sign * scores[0]);
            slopes[0] = -2 * sign * margin;
            return margin * margin;
        }
    };

    /**
     * The loss of a sample, and its derivative by each score.
     *
     * @param target a class, or a number in units of the scores
     */
    abstract double of(double[] scores, double target, double[] slopes);

    /** The second derivative by the score; for losses that tell what coefficients spread by. */
    double curvature(double score, double target) {
        throw new IllegalStateException(this + " has no standard errors");
    }

    /** Beyond it rates grow in a line, so that no trial of a step is infinite. */
    private static final double FARTHEST_LOG = 30;

    /** The rate whose logarithm is a score. */
    static double rate(double score) {
        double rate = StrictMath.exp(Math.min(score, FARTHEST_LOG));
        return rate * (1 + Math.max(0, score - FARTHEST_LOG));
    }

    /** Whether it is the likelihood of a model whose coefficients one score decides. */
    boolean isLikelihood() {
        return this == LOGISTIC || this == SQUARES || this == POISSON;
    }

    /**
     * The loss of a job.
     *
     * @throws dev.medley.base.ConfigException if it is not smooth, or does not fit the target
     */
    static ConvexLoss of(LossSpec spec, Target target) {
        check(
                spec.labelSmoothing() == 0,
                "train.label_smoothing=%s has no meaning for optimizer lbfgs: leave it out",
                spec.labelSmoothing());
        boolean isAuto = spec.kind() == LossKind.AUTO;
        boolean isBinary = target.kind() == TargetKind.BINARY;
        ConvexLoss found =
                switch (target.kind()) {
                    case BINARY ->
                            spec.kind() == LossKind.SQUARED_HINGE
                                    ? SQUARED_HINGE
                                    : isAuto || spec.kind() == LossKind.BINARY_CROSS_ENTROPY
                                            ? LOGISTIC
                                            : null;
                    case CLASSES ->
                            isAuto || spec.kind() == LossKind.CROSS_ENTROPY ? SOFTMAX : null;
                    case VALUE ->
                            target.isRate()
                                    ? isAuto || spec.kind() == LossKind.POISSON ? POISSON : null
                                    : isAuto || spec.kind() == LossKind.MEAN_SQUARED_ERROR
                                            ? SQUARES
                                            : null;
                    case VALUES, GRADE, TOKENS, NONE -> null;
                };
        check(
                found != null,
                "train.loss=%s does not go with optimizer lbfgs %s: it minimises %s",
                spec.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                isBinary ? "of two classes" : "here",
                isBinary
                        ? "binary-cross-entropy or squared-hinge"
                        : "cross-entropy of classes, mean-squared-error of numbers, poisson of"
                                + " counts");
        return Objects.requireNonNull(found);
    }
}
