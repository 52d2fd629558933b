package dev.medley.api;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;

/** Describes the loss that training minimises. */
public final class Loss {
    private Loss() {}

    /** What suits the target: cross-entropy for classes, squared error for numbers. */
    public static LossSpec auto() {
        return LossSpec.auto();
    }

    /** For one of several classes, and for the next token. */
    public static LossSpec crossEntropy() {
        return new LossSpec(LossKind.CROSS_ENTROPY, null);
    }

    /** For one of two classes, on logits. */
    public static LossSpec binaryCrossEntropy() {
        return new LossSpec(LossKind.BINARY_CROSS_ENTROPY, null);
    }

    /** For numbers. */
    public static LossSpec meanSquaredError() {
        return new LossSpec(LossKind.MEAN_SQUARED_ERROR, null);
    }

    /** For counts, whose rates are learnt. */
    public static LossSpec poisson() {
        return new LossSpec(LossKind.POISSON, null);
    }

    /** For one of two classes, with a margin. */
    public static LossSpec hinge() {
        return new LossSpec(LossKind.HINGE, null);
    }

    /** A user's own {@link dev.medley.tensor.loss.LossFunction}. */
    public static LossSpec custom(Class<?> loss) {
        return new LossSpec(LossKind.CUSTOM, ClassSpec.of(loss));
    }
}
