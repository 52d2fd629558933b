package dev.medley.serving.tensor;

import static dev.medley.serving.ServingFailure.check;

import java.util.List;

/**
 * Holds a named array, row by row.
 *
 * @param name of the input or output
 * @param type of its elements
 * @param shape lengths of its dimensions
 * @param values as many as the shape says
 */
public record WireTensor(String name, DataType type, List<Long> shape, Values values) {
    public WireTensor {
        shape = List.copyOf(shape);
        check(
                count(name, shape) == values.count(),
                "input '%s': shape %s has %d elements, and %d were sent",
                name,
                shape,
                count(name, shape),
                values.count());
    }

    /** Elements of a shape, which callers may have made up. */
    public static long count(String name, List<Long> shape) {
        long count = 1;
        for (long length : shape) {
            check(
                    length >= 0,
                    "input '%s': shape %s has a negative length; give that of what is sent",
                    name,
                    shape);
            try {
                count = Math.multiplyExact(count, length);
            } catch (ArithmeticException e) {
                check(false, "input '%s': shape %s is too large", name, shape);
            }
        }
        return count;
    }

    /** The length of the first dimension; 1 for a single value. */
    public long rows() {
        return shape.isEmpty() ? 1 : shape.get(0);
    }
}
