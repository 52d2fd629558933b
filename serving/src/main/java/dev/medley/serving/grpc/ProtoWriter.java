package dev.medley.serving.grpc;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.medley.serving.protocol.RawValues;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes a message field by field.
 *
 * <p>Thread: one.
 */
final class ProtoWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes, 256);

    private interface Step {
        void write() throws IOException;
    }

    private ProtoWriter doing(Step step) {
        try {
            step.write();
        } catch (IOException e) {
            throw new IllegalStateException("memory does not take bytes", e);
        }
        return this;
    }

    ProtoWriter text(int field, String text) {
        return text.isEmpty() ? this : doing(() -> out.writeString(field, text));
    }

    ProtoWriter flag(int field, boolean flag) {
        return flag ? doing(() -> out.writeBool(field, true)) : this;
    }

    ProtoWriter whole(int field, long number) {
        return number == 0 ? this : doing(() -> out.writeUInt64(field, number));
    }

    ProtoWriter texts(int field, List<String> texts) {
        return doing(
                () -> {
                    for (String text : texts) {
                        out.writeString(field, text);
                    }
                });
    }

    ProtoWriter raw(int field, byte[] content) {
        return doing(() -> out.writeByteArray(field, content));
    }

    ProtoWriter message(int field, ProtoWriter message) {
        return raw(field, message.bytes());
    }

    /** A repeated int64, packed. */
    ProtoWriter longs(int field, List<Long> numbers) {
        return doing(
                () -> {
                    int size = 0;
                    for (long number : numbers) {
                        size += CodedOutputStream.computeInt64SizeNoTag(number);
                    }
                    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
                    out.writeUInt32NoTag(size);
                    for (long number : numbers) {
                        out.writeInt64NoTag(number);
                    }
                });
    }

    byte[] bytes() {
        doing(out::flush);
        return bytes.toByteArray();
    }

    /** InferOutputTensor, with its elements or without. */
    static ProtoWriter output(WireTensor tensor, boolean isRaw) {
        ProtoWriter output =
                new ProtoWriter()
                        .text(1, tensor.name())
                        .text(2, tensor.type().name())
                        .longs(3, tensor.shape());
        return isRaw ? output : output.message(5, contents(tensor));
    }

    /** Answers are INT64, FP64 or BYTES. */
    private static ProtoWriter contents(WireTensor tensor) {
        Values values = tensor.values();
        ProtoWriter contents = new ProtoWriter();
        return contents.doing(
                () -> {
                    for (int i = 0; i < values.count(); i++) {
                        if (tensor.type() == DataType.BYTES) {
                            String text = String.valueOf(values.text(i));
                            contents.out.writeByteArray(8, text.getBytes(StandardCharsets.UTF_8));
                        } else if (tensor.type() == DataType.INT64) {
                            contents.out.writeInt64(3, (long) values.number(i));
                        } else {
                            contents.out.writeDouble(7, values.number(i));
                        }
                    }
                });
    }

    /** The elements as bytes. */
    static byte[] raw(WireTensor tensor) {
        return RawValues.write(tensor);
    }
}
