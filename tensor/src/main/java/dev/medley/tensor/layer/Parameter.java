package dev.medley.tensor.layer;

import dev.medley.tensor.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An array that a layer declares and the model lays out: learned, if declared as a parameter, or
 * remembered, if declared as a statistic. Until the model is built it has no value.
 */
public final class Parameter {
    private final Initializer initializer;
    private final long[] shape;
    private @Nullable Tensor value;

    private Parameter(Initializer initializer, long[] shape) {
        this.initializer = initializer;
        this.shape = shape.clone();
        if (Arrays.stream(shape).anyMatch(length -> length < 1)) {
            throw new IllegalArgumentException(
                    "a parameter of shape " + Arrays.toString(shape) + " has no elements");
        }
    }

    /** A parameter of {@code shape} that begins as {@code initializer} draws it. */
    public static Parameter of(Initializer initializer, long... shape) {
        return new Parameter(initializer, shape);
    }

    /** The view into the model's flat buffer. */
    public Tensor value() {
        if (value == null) {
            throw new IllegalStateException(
                    "a parameter of shape "
                            + Arrays.toString(shape)
                            + " was used but never declared: name it in Layer.declare");
        }
        return value;
    }

    /** How it begins. */
    public Initializer initializer() {
        return initializer;
    }

    /** Lengths of its dimensions, a copy. */
    public long[] shape() {
        return shape.clone();
    }

    /** Number of elements. */
    public long count() {
        return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    /** Gives the view; called once, by who lays the model out. */
    public void bind(Tensor view) {
        if (value != null) {
            throw new IllegalStateException("a layer belongs to one model only");
        }
        value = view;
    }
}
