package dev.medley.tensor.graph;

import dev.medley.base.memory.HostArray;
import java.util.Arrays;
import java.util.List;

/** A setting of a node, by the name that the operator's specification gives it. */
public sealed interface Attribute {
    /** Its name. */
    String name();

    /** A whole number. */
    record Whole(String name, long value) implements Attribute {}

    /** A number. */
    record Real(String name, float value) implements Attribute {}

    /** A text. */
    record Text(String name, String value) implements Attribute {}

    /** Whole numbers. */
    record Wholes(String name, List<Long> values) implements Attribute {
        public Wholes {
            values = List.copyOf(values);
        }
    }

    /** Texts. */
    record Texts(String name, List<String> values) implements Attribute {
        public Texts {
            values = List.copyOf(values);
        }
    }

    /** An array. */
    record Array(String name, HostArray value) implements Attribute {}

    /** A whole number. */
    static Attribute of(String name, long value) {
        return new Whole(name, value);
    }

    /** A number. */
    static Attribute of(String name, double value) {
        return new Real(name, (float) value);
    }

    /** Whole numbers; also of none or one. */
    static Attribute list(String name, long... values) {
        return new Wholes(name, Arrays.stream(values).boxed().toList());
    }
}
