package dev.medley.serving.grpc;

import static dev.medley.serving.ServingFailure.check;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.medley.serving.protocol.RawValues;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the elements of an InferTensorContents, each kind of which has a field of its own.
 *
 * <p>Thread: one.
 */
final class Contents {
    private static final int BOOLS = 1;
    private static final int INTS = 2;
    private static final int LONGS = 3;
    private static final int UINTS = 4;
    private static final int ULONGS = 5;
    private static final int FLOATS = 6;
    private static final int DOUBLES = 7;
    private static final int TEXTS = 8;

    private double[] numbers = new double[0];
    private long[] wholes = new long[0];
    private final List<@Nullable String> texts = new ArrayList<>();
    private int count;
    private int field;

    /** A field of the message; false if it is none. */
    boolean read(int number, CodedInputStream in) throws IOException {
        if (number < BOOLS || number > TEXTS) {
            return false;
        }
        check(
                field == 0 || field == number,
                "the contents of an input have elements in two fields, %d and %d",
                field,
                number);
        field = number;
        if (number == TEXTS) {
            texts.add(
                    RawValues.text("contents", texts.size(), ByteBuffer.wrap(in.readByteArray())));
            count++;
            return true;
        }
        if (WireFormat.getTagWireType(in.getLastTag()) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
            add(in);
            return true;
        }
        int limit = in.pushLimit(in.readRawVarint32());
        while (in.getBytesUntilLimit() > 0) {
            add(in);
        }
        in.popLimit(limit);
        return true;
    }

    private void add(CodedInputStream in) throws IOException {
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(4, 2 * count));
        }
        if (field == LONGS) {
            if (count >= wholes.length) {
                wholes = Arrays.copyOf(wholes, numbers.length);
            }
            wholes[count] = in.readInt64();
            numbers[count] = wholes[count];
        } else {
            numbers[count] =
                    switch (field) {
                        case BOOLS -> in.readBool() ? 1 : 0;
                        case INTS -> in.readInt32();
                        case UINTS -> Integer.toUnsignedLong(in.readUInt32());
                        case ULONGS -> unsigned(in.readUInt64());
                        case FLOATS -> in.readFloat();
                        default -> in.readDouble();
                    };
        }
        count++;
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
    }

    /** How many elements there are. */
    int count() {
        return count;
    }

    /** The elements, which have to be in the field of their type. */
    Values values(String input, DataType type) {
        int asked =
                switch (type) {
                    case BOOL -> BOOLS;
                    case INT8, INT16, INT32 -> INTS;
                    case INT64 -> LONGS;
                    case UINT8, UINT16, UINT32 -> UINTS;
                    case UINT64 -> ULONGS;
                    case FP32 -> FLOATS;
                    case FP64 -> DOUBLES;
                    case BYTES -> TEXTS;
                    case FP16 -> 0; // Goes in raw_input_contents alone.
                };
        check(
                field == 0 || field == asked,
                "input '%s': %s is sent in field %d of contents, and is read from %s",
                input,
                type,
                field,
                asked == 0 ? "raw_input_contents" : "field " + asked);
        if (type == DataType.BYTES) {
            return new Values.Texts(texts);
        }
        for (int i = 0; i < count; i++) {
            check(
                    !type.isWhole() || (numbers[i] >= type.least() && numbers[i] <= type.most()),
                    "input '%s', element %d: %s is no %s",
                    input,
                    i,
                    numbers[i],
                    type);
        }
        return type == DataType.INT64 && count > 0
                ? new Values.Wholes(Arrays.copyOf(wholes, count))
                : new Values.Numbers(Arrays.copyOf(numbers, count));
    }
}
