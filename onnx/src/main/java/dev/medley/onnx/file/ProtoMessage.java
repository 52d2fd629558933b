package dev.medley.onnx.file;

import dev.medley.base.memory.Span;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds a message of Protocol Buffers while it is built (protobuf.dev, "Encoding"). Each field is
 * its number and wire type as one varint, then its value. Arrays are not copied: they are written
 * from where they lie.
 */
final class ProtoMessage {
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED32 = 5;

    private static final int TYPE_BITS = 3;
    private static final int VARINT_BITS = 7;
    private static final int MORE = 0x80;

    private final List<ByteBuffer> parts = new ArrayList<>();
    private ByteArrayOutputStream open = new ByteArrayOutputStream();
    private long bytes;

    /** A whole number; below 0 as ten bytes. */
    ProtoMessage whole(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    /** A number. */
    ProtoMessage real(int field, float value) {
        tag(field, FIXED32);
        int bits = Float.floatToIntBits(value);
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            put((byte) (bits >>> shift));
        }
        return this;
    }

    /** A text. */
    ProtoMessage text(int field, String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        tag(field, LENGTH_DELIMITED);
        varint(utf8.length);
        open.writeBytes(utf8);
        bytes += utf8.length;
        return this;
    }

    /** A message within this one. */
    ProtoMessage message(int field, ProtoMessage inner) {
        tag(field, LENGTH_DELIMITED);
        varint(inner.bytes);
        close();
        inner.close();
        parts.addAll(inner.parts);
        bytes += inner.bytes;
        return this;
    }

    /** Whole numbers, packed. */
    ProtoMessage wholes(int field, List<Long> values) {
        ProtoMessage packed = new ProtoMessage();
        values.forEach(packed::varint);
        return message(field, packed);
    }

    /** The bytes of an array. */
    ProtoMessage array(int field, Span data) {
        tag(field, LENGTH_DELIMITED);
        varint(data.bytes());
        close();
        parts.addAll(data.buffers());
        bytes += data.bytes();
        return this;
    }

    /** Its length. */
    long bytes() {
        return bytes;
    }

    /** Writes all of it. */
    void writeTo(WritableByteChannel channel) throws IOException {
        close();
        for (ByteBuffer part : parts) {
            ByteBuffer rest = part.duplicate().order(ByteOrder.nativeOrder());
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        }
    }

    private void close() {
        if (open.size() > 0) {
            parts.add(ByteBuffer.wrap(open.toByteArray()));
            open = new ByteArrayOutputStream();
        }
    }

    private void tag(int field, int type) {
        varint((long) field << TYPE_BITS | type);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~(MORE - 1L)) != 0) {
            put((byte) (rest & (MORE - 1) | MORE));
            rest >>>= VARINT_BITS;
        }
        put((byte) rest);
    }

    private void put(byte value) {
        open.write(value);
        bytes++;
    }
}
