package dev.medley.store.file;

import dev.medley.base.Json;
import dev.medley.base.memory.NamedSpan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes arrays in the safetensors format (its specification: 8 bytes little-endian header length,
 * a JSON header, the arrays without a gap between them). Arrays go straight from their spans to the
 * channel. They are ordered by element size, the longest first, and the header is padded with
 * spaces to a multiple of 64 bytes, so that every array is aligned for its elements when mapped.
 */
public final class SafetensorsWriter {
    static final String METADATA = "__metadata__";
    private static final int ALIGNMENT_BYTES = 64;

    private final List<NamedSpan> spans;
    private final byte[] header;
    private final long dataBytes;

    /**
     * Prepares the header; the spans' bytes are read by {@link #writeTo}.
     *
     * @param metadata text for readers of the file, by key
     * @param spans whose names differ
     */
    public SafetensorsWriter(Map<String, String> metadata, List<NamedSpan> spans) {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new IllegalStateException("spans are big-endian here, safetensors is not");
        }
        this.spans =
                spans.stream()
                        .sorted(Comparator.comparing((NamedSpan s) -> -s.type().bytes()))
                        .toList();
        Map<String, Object> entries = new LinkedHashMap<>();
        // In order: an unordered map would give the file of one model other bytes in each process.
        entries.put(METADATA, new TreeMap<>(metadata));
        long at = 0;
        for (NamedSpan span : this.spans) {
            long end = at + span.data().bytes();
            if (entries.put(span.name(), entry(span, at, end)) != null) {
                throw new IllegalArgumentException("two arrays are named " + span.name());
            }
            at = end;
        }
        this.dataBytes = at;
        this.header = padded(Json.bytes(entries));
    }

    /** Length of the file. */
    public long fileBytes() {
        return Long.BYTES + header.length + dataBytes;
    }

    /** Writes the whole file. */
    public void writeTo(WritableByteChannel channel) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(Long.BYTES + header.length);
        start.order(ByteOrder.LITTLE_ENDIAN).putLong(header.length).put(header).flip();
        AtomicFile.writeFully(channel, start);
        for (NamedSpan span : spans) {
            for (ByteBuffer piece : span.data().buffers()) {
                AtomicFile.writeFully(channel, piece);
            }
        }
    }

    private static Map<String, Object> entry(NamedSpan span, long from, long end) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("dtype", StoredType.of(span.type()).name());
        entry.put("shape", span.shape());
        entry.put("data_offsets", new long[] {from, end});
        return entry;
    }

    private static byte[] padded(byte[] json) {
        int over = (Long.BYTES + json.length) % ALIGNMENT_BYTES;
        byte[] header =
                Arrays.copyOf(json, json.length + (ALIGNMENT_BYTES - over) % ALIGNMENT_BYTES);
        Arrays.fill(header, json.length, header.length, (byte) ' ');
        return header;
    }
}
