package dev.medley.store.file;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A safetensors file, mapped and checked. Its arrays are read-only views of the file; opening reads
 * only the header, whatever the length.
 *
 * @param metadata text of its writer, by key
 * @param tensors in the order of their bytes
 */
public record Safetensors(Map<String, String> metadata, List<StoredTensor> tensors) {
    /**
     * The specification allows 100 MB, of which a reader would need gigabytes; 16 name 100,000
     * arrays.
     */
    private static final long LONGEST_HEADER_BYTES = 16 << 20;

    public Safetensors {
        metadata = Map.copyOf(metadata);
        tensors = List.copyOf(tensors);
    }

    /** Opens a file; a {@link ConfigException} says how a damaged one is damaged. */
    public static Safetensors open(Path file) throws IOException {
        return of(file.toString(), MappedFile.map(file));
    }

    /** The same over the bytes of a whole file, which {@code name} names in messages. */
    public static Safetensors of(String name, Span all) {
        if (all.bytes() < Long.BYTES) {
            throw SafetensorsHeader.damaged(name, "it ends after " + all.bytes() + " bytes");
        }
        long headerBytes =
                all.slice(0, Long.BYTES).buffer().order(ByteOrder.LITTLE_ENDIAN).getLong(0);
        if (headerBytes < 2 || headerBytes > all.bytes() - Long.BYTES) {
            throw SafetensorsHeader.damaged(
                    name,
                    "a header of %d bytes in a file of %d".formatted(headerBytes, all.bytes()));
        }
        check(
                headerBytes <= LONGEST_HEADER_BYTES,
                "%s: its header takes %,d bytes, and up to %,d are read: save it with fewer arrays"
                        + " or less __metadata__",
                name,
                headerBytes,
                LONGEST_HEADER_BYTES);
        byte[] json = new byte[(int) headerBytes];
        all.slice(Long.BYTES, headerBytes).buffer().get(json);
        Span data = all.slice(Long.BYTES + headerBytes, all.bytes() - Long.BYTES - headerBytes);
        SafetensorsHeader header = SafetensorsHeader.parse(name, json, data.bytes());
        return new Safetensors(
                header.metadata(),
                header.entries().stream()
                        .map(
                                e ->
                                        new StoredTensor(
                                                e.name(),
                                                e.type(),
                                                e.shape(),
                                                data.slice(e.from(), e.end() - e.from())))
                        .toList());
    }

    /** The arrays in types that Medley computes in: {@link StoredTensor#toNamedSpan}. */
    public List<NamedSpan> namedSpans() {
        return tensors.stream().map(StoredTensor::toNamedSpan).toList();
    }
}
