package dev.medley.tensor;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import java.util.List;

/** Signatures for tests. */
public final class Shapes {
    private Shapes() {}

    /** {@code features} numbers; {@code outputs} classes. */
    public static Signature rows(int features, int outputs) {
        return new Signature(
                List.of(new Input("x", ElementType.FLOAT32, List.of(features), List.of())),
                new Target(TargetKind.CLASSES, outputs, List.of()));
    }

    /** {@code features} numbers; one output of a kind. */
    public static Signature rows(int features, TargetKind kind) {
        return new Signature(
                List.of(new Input("x", ElementType.FLOAT32, List.of(features), List.of())),
                new Target(kind, 1, List.of()));
    }

    /** Rows of numbers over time; so many classes. */
    public static Signature windows(int rows, int channels, int classes) {
        return new Signature(
                List.of(new Input("past", ElementType.FLOAT32, List.of(rows, channels), List.of())),
                new Target(TargetKind.CLASSES, classes, List.of()));
    }

    /** Images as floats. */
    public static Signature images(int channels, int side, int classes) {
        return new Signature(
                List.of(
                        new Input(
                                "image",
                                ElementType.FLOAT32,
                                List.of(channels, side, side),
                                List.of())),
                new Target(TargetKind.CLASSES, classes, List.of()));
    }

    /** Windows of tokens. */
    public static Signature text(int vocabulary, int context) {
        return new Signature(
                List.of(
                        new Input(
                                "text", ElementType.INT64, List.of(context), List.of(vocabulary))),
                new Target(TargetKind.TOKENS, vocabulary, List.of()));
    }
}
