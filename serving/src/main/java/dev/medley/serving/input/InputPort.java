package dev.medley.serving.input;

import dev.medley.serving.tensor.DataType;
import java.util.List;

/**
 * Says what a model takes, or gives, under a name.
 *
 * @param shape -1 where any length will do; the first dimension is the sample
 * @param about what it means, for people
 */
public record InputPort(String name, DataType type, List<Long> shape, String about) {
    public InputPort {
        shape = List.copyOf(shape);
    }

    /** One value for each sample. */
    static InputPort column(String name, DataType type, String about) {
        return new InputPort(name, type, List.of(-1L, 1L), about);
    }
}
