package dev.medley.store.text;

import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.store.shard.InputFiles;
import dev.medley.store.shard.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads files one behind the other as bytes or as code points (UTF-8; what is not becomes U+FFFD).
 * A file that does not end a line is followed by a line feed, so that texts do not run together.
 */
final class TextReader {
    /** Gets values by the thousand, so that a virtual call per value is saved. */
    @FunctionalInterface
    interface Sink {
        void accept(int[] values, int count) throws IOException;
    }

    private static final int CHUNK = 1 << 14;

    private final TextUnit unit;
    private final Progress progress;
    private final int[] values = new int[CHUNK];

    TextReader(TextUnit unit, Progress progress) {
        this.unit = unit;
        this.progress = progress;
    }

    void read(List<Path> files, Sink sink) {
        for (int i = 0; i < files.size(); i++) {
            progress.at("reading text", i, files.size());
            Path file = files.get(i);
            try (InputStream in = InputFiles.open(file)) {
                int last = unit == TextUnit.BYTES ? bytes(in, sink) : characters(in, sink);
                if (last >= 0 && last != '\n' && i + 1 < files.size()) {
                    values[0] = '\n';
                    sink.accept(values, 1);
                }
            } catch (IOException e) {
                throw InputFiles.broken(file, e);
            }
        }
        progress.at("reading text", files.size(), files.size());
    }

    private int bytes(InputStream in, Sink sink) throws IOException {
        byte[] buffer = new byte[CHUNK];
        int last = -1;
        for (int count; (count = in.read(buffer)) > 0; ) {
            for (int i = 0; i < count; i++) {
                values[i] = buffer[i] & 0xFF;
            }
            sink.accept(values, count);
            last = values[count - 1];
        }
        return last;
    }

    private int characters(InputStream in, Sink sink) throws IOException {
        Reader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        char[] buffer = new char[CHUNK];
        int last = -1;
        int high = -1;
        for (int count; (count = reader.read(buffer)) > 0; ) {
            int filled = 0;
            for (int i = 0; i < count; i++) {
                char c = buffer[i];
                if (Character.isHighSurrogate(c)) {
                    high = c;
                } else if (Character.isLowSurrogate(c) && high >= 0) {
                    values[filled++] = Character.toCodePoint((char) high, c);
                    high = -1;
                } else {
                    values[filled++] = c;
                }
            }
            if (filled > 0) {
                sink.accept(values, filled);
                last = values[filled - 1];
            }
        }
        return last;
    }
}
