package dev.medley.connect.salesforce.event;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;

/**
 * Reads Avro's binary form of one value after the other. No length is believed that the bytes
 * cannot have, so that memory is bounded by them.
 *
 * <p>Thread: one.
 */
final class AvroBytes {
    private static final int DEEPEST = 32;
    private static final int LONGEST_VARINT = 10;
    private static final int MOST_VALUES = 4_000_000;

    private final byte[] bytes;
    private int at;
    private int skipped;

    AvroBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    long whole() throws IOException {
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            take(1);
            byte b = bytes[at - 1];
            value |= (b & 0x7FL) << (7 * i);
            if (b >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw new IOException("a number has more than ten bytes");
    }

    String text() throws IOException {
        int length = length();
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }

    /** How many values come; 0 at the end of a list. */
    int block() throws IOException {
        long count = whole();
        if (count < 0) {
            long unused = whole(); // Its length in bytes.
            count = -count;
        }
        if (count < 0 || count > bytes.length - at) {
            throw new IOException("a list of %d values in %d bytes".formatted(count, bytes.length));
        }
        return (int) count;
    }

    /** Which of a union's types comes. */
    Schema branch(Schema union) throws IOException {
        long index = whole();
        if (index < 0 || index >= union.getTypes().size()) {
            throw new IOException("no type %d of %s".formatted(index, union.getTypes().size()));
        }
        return union.getTypes().get((int) index);
    }

    void skip(Schema schema) throws IOException {
        skip(schema, 0);
    }

    private void skip(Schema schema, int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new IOException("values within values, more than %d deep".formatted(DEEPEST));
        }
        if (++skipped > MOST_VALUES) {
            throw new IOException("more than %,d values".formatted(MOST_VALUES));
        }
        switch (schema.getType()) {
            case NULL -> {}
            case BOOLEAN -> take(1);
            case INT, LONG, ENUM -> {
                long unused = whole();
            }
            case FLOAT -> take(4);
            case DOUBLE -> take(8);
            case FIXED -> take(schema.getFixedSize());
            case STRING, BYTES -> {
                int unused = length();
            }
            case UNION -> skip(branch(schema), depth + 1);
            case RECORD -> {
                for (Schema.Field field : schema.getFields()) {
                    skip(field.schema(), depth + 1);
                }
            }
            case ARRAY, MAP -> {
                for (int count = block(); count > 0; count = block()) {
                    for (int i = 0; i < count; i++) {
                        if (schema.getType() == Schema.Type.MAP) {
                            int unused = length();
                        }
                        Schema inner =
                                schema.getType() == Schema.Type.MAP
                                        ? schema.getValueType()
                                        : schema.getElementType();
                        skip(inner, depth + 1);
                    }
                }
            }
        }
    }

    /** Of a text, which is passed over. */
    private int length() throws IOException {
        long length = whole();
        if (length < 0 || length > bytes.length - at) {
            throw new IOException(
                    "a text of %d bytes where %d are left".formatted(length, bytes.length - at));
        }
        at += (int) length;
        return (int) length;
    }

    private void take(int count) throws IOException {
        if (count > bytes.length - at) {
            throw new IOException("it ends within a value");
        }
        at += count;
    }
}
