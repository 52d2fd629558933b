package dev.medley.serving.protocol;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes elements in binary, lowest byte first; a text is its length in four bytes and
 * its UTF-8.
 */
public final class RawValues {
    private RawValues() {}

    /**
     * The elements in the remaining bytes of {@code from}.
     *
     * @throws dev.medley.serving.ServingFailure if they are not whole
     */
    public static Values read(String input, DataType type, ByteBuffer from) {
        if (type != DataType.BYTES) {
            check(
                    from.remaining() % type.bytes() == 0,
                    "input '%s': %d bytes are no whole number of %s, which have %d each",
                    input,
                    from.remaining(),
                    type,
                    type.bytes());
            return new Values.Packed(from, type);
        }
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        List<@Nullable String> texts = new ArrayList<>();
        while (bytes.hasRemaining()) {
            check(
                    bytes.remaining() >= Integer.BYTES,
                    "input '%s': text %d has no length of four bytes",
                    input,
                    texts.size());
            int length = bytes.getInt();
            check(
                    length >= 0 && length <= bytes.remaining(),
                    "input '%s': text %d has %d bytes, and %d are left",
                    input,
                    texts.size(),
                    Integer.toUnsignedLong(length),
                    bytes.remaining());
            texts.add(text(input, texts.size(), bytes.slice(bytes.position(), length)));
            bytes.position(bytes.position() + length);
        }
        return new Values.Texts(texts);
    }

    /** A text of UTF-8. */
    public static String text(String input, int at, ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            check(false, "input '%s': text %d is not UTF-8", input, at);
            return "";
        }
    }

    /** The bytes of an array. */
    public static byte[] write(WireTensor tensor) {
        Values values = tensor.values();
        if (tensor.type() == DataType.BYTES) {
            List<byte[]> texts = new ArrayList<>();
            int bytes = 0;
            for (int i = 0; i < values.count(); i++) {
                String text = values.text(i);
                byte[] utf8 = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
                texts.add(utf8);
                bytes += Integer.BYTES + utf8.length;
            }
            ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
            texts.forEach(text -> out.putInt(text.length).put(text));
            return out.array();
        }
        ByteBuffer out =
                ByteBuffer.allocate(values.count() * tensor.type().bytes())
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < values.count(); i++) {
            if (tensor.type() == DataType.INT64) {
                out.putLong(
                        values instanceof Values.Wholes wholes
                                ? wholes.of()[i]
                                : (long) values.number(i));
            } else {
                out.putDouble(values.number(i)); // Answers are of these two types alone.
            }
        }
        return out.array();
    }
}
