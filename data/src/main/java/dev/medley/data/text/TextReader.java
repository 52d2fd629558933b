package dev.medley.data.text;

import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.data.shard.InputFiles;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads files one behind the other as bytes or as code points, see {@link CharacterReader}. A file
 * that does not end a line is followed by a line feed, so that texts do not run together.
 */
final class TextReader {
    /** Gets values by the thousand, so that a virtual call per value is saved. */
    @FunctionalInterface
    interface Sink {
        void accept(int[] values, int count) throws IOException;
    }

    private static final int CHUNK = 1 << 14;

    private final TextUnit unit;
    private final PreparationProgress progress;
    private final int[] values = new int[CHUNK];

    TextReader(TextUnit unit, PreparationProgress progress) {
        this.unit = unit;
        this.progress = progress;
    }

    void read(List<Path> files, Sink sink) {
        for (int i = 0; i < files.size(); i++) {
            progress.at("reading text", i, files.size());
            Path file = files.get(i);
            try (InputStream in = InputFiles.open(file)) {
                int last =
                        unit == TextUnit.BYTES
                                ? bytes(in, sink)
                                : new CharacterReader(file, sink).read(in);
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
}
