package dev.medley.connect.back;

import dev.medley.base.Json;
import dev.medley.store.file.AtomicFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Keeps a text for each key in a file to which lines are added: a checksum, then key and text as
 * JSON. The last line of a key counts. A line that was cut off, or damaged, is as good as not
 * there; so a value can be missing after a crash, and is never another one. All of it is in memory:
 * some 150 bytes a key.
 *
 * <p>Thread: one.
 */
final class KeyedLog implements AutoCloseable {
    private static final int CHECK_DIGITS = 8;
    private static final int LINES_BEFORE_TIDYING = 10_000;

    private final Path file;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final ByteArrayOutputStream coming = new ByteArrayOutputStream();
    private FileChannel out;
    private long lines;

    private KeyedLog(Path file, FileChannel out) {
        this.file = file;
        this.out = out;
    }

    static KeyedLog open(Path file) throws IOException {
        AtomicFile.sweep(file.resolveSibling("."));
        KeyedLog log = new KeyedLog(file, appending(file));
        try {
            log.read();
            if (log.lines > 2L * log.values.size() + LINES_BEFORE_TIDYING) {
                log.tidy();
            }
            return log;
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    private static FileChannel appending(Path file) throws IOException {
        return FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND);
    }

    private void read() throws IOException {
        boolean isEnded = true;
        try (java.io.BufferedReader in =
                new java.io.BufferedReader(
                        new java.io.InputStreamReader(
                                Files.newInputStream(file), StandardCharsets.ISO_8859_1))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                take(line);
                lines++;
            }
        }
        long size = Files.size(file);
        if (size > 0) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                ByteBuffer last = ByteBuffer.allocate(1);
                isEnded = channel.read(last, size - 1) == 1 && last.get(0) == '\n';
            }
        }
        if (!isEnded) {
            coming.write('\n'); // So that the next line does not go on with a torn one.
        }
    }

    private void take(String line) {
        if (line.length() <= CHECK_DIGITS) {
            return;
        }
        byte[] json = line.substring(CHECK_DIGITS).getBytes(StandardCharsets.ISO_8859_1);
        if (!line.startsWith(check(json))) {
            return;
        }
        try {
            String[] pair = Json.parse(json, String[].class);
            put(pair[0], pair.length > 1 ? pair[1] : null);
        } catch (JacksonException e) {
            return; // Not ours.
        }
    }

    private static String check(byte[] json) {
        CRC32 crc = new CRC32();
        crc.update(json);
        return "%08x".formatted(crc.getValue());
    }

    private void put(String key, @Nullable String value) {
        if (value == null) {
            values.remove(key);
        } else {
            values.put(key, value);
        }
    }

    @Nullable String get(String key) {
        return values.get(key);
    }

    Map<String, String> all() {
        return values;
    }

    /** Sets a value, or takes it away; {@link #settle} brings it to the disk. */
    void set(String key, @Nullable String value) {
        if (value == null && !values.containsKey(key)) {
            return;
        }
        put(key, value);
        coming.writeBytes(line(key, value));
        lines++;
    }

    private static byte[] line(String key, @Nullable String value) {
        byte[] json = Json.bytes(value == null ? List.of(key) : List.of(key, value));
        String check = check(json);
        ByteBuffer line = ByteBuffer.allocate(CHECK_DIGITS + json.length + 1);
        line.put(check.getBytes(StandardCharsets.US_ASCII)).put(json).put((byte) '\n');
        return line.array();
    }

    /** Returns when all that was set is on the disk. */
    void settle() throws IOException {
        if (coming.size() > 0) {
            long good = out.size();
            try {
                AtomicFile.writeFully(out, ByteBuffer.wrap(coming.toByteArray()));
                out.force(false);
            } catch (IOException e) {
                out.truncate(good); // So that the next line does not go on with a torn one.
                throw e;
            }
            coming.reset();
        }
    }

    private void tidy() throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        values.forEach((key, value) -> whole.writeBytes(line(key, value)));
        out.close();
        AtomicFile.write(file, whole.toByteArray());
        out = appending(file);
        coming.reset();
        lines = values.size();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
