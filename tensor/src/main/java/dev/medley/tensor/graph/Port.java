package dev.medley.tensor.graph;

import dev.medley.base.memory.ElementType;
import java.util.List;

/**
 * The name and type of an array that flows into a graph, or out of it.
 *
 * @param name by which it is fed or fetched
 * @param type of its elements
 * @param dimensions a number, or a word where any length will do
 * @param about what it means, for people
 */
public record Port(String name, Type type, List<String> dimensions, String about) {
    /** The dimension of samples, of any length. */
    public static final String SAMPLES = "samples";

    /** Types of elements. */
    public enum Type {
        FLOAT(1),
        UINT8(2),
        INT64(7),
        STRING(8),
        DOUBLE(11);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        /** Its number among ONNX's data types. */
        public int code() {
            return code;
        }

        /** That of arrays of {@code type}. */
        public static Type of(ElementType type) {
            return switch (type) {
                case FLOAT32 -> FLOAT;
                case FLOAT64 -> DOUBLE;
                case INT64 -> INT64;
                case UINT8 -> UINT8;
                case INT32 -> throw new IllegalArgumentException("no array here is INT32");
            };
        }
    }

    public Port {
        dimensions = List.copyOf(dimensions);
    }

    /** As people read it: {@code float[samples, 2]}. */
    public String shape() {
        return type.name().toLowerCase(java.util.Locale.ROOT)
                + "["
                + String.join(", ", dimensions)
                + "]";
    }
}
