package dev.medley.serving.tensor;

import dev.medley.serving.ServingFailure;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds the elements of an array: numbers or texts. */
public sealed interface Values {
    /** How many there are. */
    int count();

    /** A number; of true 1, of false 0. */
    double number(int at);

    /** A text; of a number its digits. Null for a text that is not there. */
    @Nullable String text(int at);

    /** Numbers, in double precision. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Numbers(double[] of) implements Values {
        @Override
        public int count() {
            return of.length;
        }

        @Override
        public double number(int at) {
            return of[at];
        }

        @Override
        public String text(int at) {
            return digits(of[at]);
        }
    }

    /** Whole numbers, exact. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Wholes(long[] of) implements Values {
        @Override
        public int count() {
            return of.length;
        }

        @Override
        public double number(int at) {
            return of[at];
        }

        @Override
        public String text(int at) {
            return Long.toString(of[at]);
        }
    }

    /** Texts, null where there is none. */
    record Texts(List<@Nullable String> of) implements Values {
        @Override
        public int count() {
            return of.size();
        }

        @Override
        public double number(int at) {
            throw ServingFailure.invalid("element %d: texts were sent where numbers are taken", at);
        }

        @Override
        public @Nullable String text(int at) {
            return of.get(at);
        }
    }

    /** Numbers as they came in binary, lowest byte first. */
    final class Packed implements Values {
        private final ByteBuffer bytes;
        private final DataType type;

        /** The remaining bytes of {@code from}, which are whole elements. */
        public Packed(ByteBuffer from, DataType type) {
            this.bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
            this.type = type;
        }

        @Override
        public int count() {
            return bytes.remaining() / type.bytes();
        }

        @Override
        public double number(int at) {
            return switch (type) {
                case BOOL -> bytes.get(at) == 0 ? 0 : 1;
                case UINT8 -> bytes.get(at) & 0xff;
                case UINT16 -> bytes.getShort(2 * at) & 0xffff;
                case UINT32 -> bytes.getInt(4 * at) & 0xffff_ffffL;
                case UINT64 -> unsigned(bytes.getLong(8 * at));
                case INT8 -> bytes.get(at);
                case INT16 -> bytes.getShort(2 * at);
                case INT32 -> bytes.getInt(4 * at);
                case INT64 -> bytes.getLong(8 * at);
                case FP16 -> half(bytes.getShort(2 * at));
                case FP32 -> bytes.getFloat(4 * at);
                case FP64 -> bytes.getDouble(8 * at);
                case BYTES -> throw new IllegalStateException("texts are not packed");
            };
        }

        @Override
        public String text(int at) {
            return switch (type) {
                case INT64 -> Long.toString(bytes.getLong(8 * at));
                case UINT64 -> Long.toUnsignedString(bytes.getLong(8 * at));
                case FP32 -> digits(Double.parseDouble(Float.toString(bytes.getFloat(4 * at))));
                default -> digits(number(at));
            };
        }

        private static double unsigned(long bits) {
            return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
        }

        /** IEEE 754, binary16. */
        private static double half(short bits) {
            int exponent = (bits >> 10) & 0x1f;
            int fraction = bits & 0x3ff;
            double size =
                    exponent == 0
                            ? fraction * 0x1p-24
                            : exponent == 0x1f
                                    ? fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN
                                    : (1 + fraction * 0x1p-10) * Math.scalb(1.0, exponent - 15);
            return bits < 0 ? -size : size;
        }
    }

    /** Whole numbers without a point, as a category has them. */
    static String digits(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }
}
