package dev.medley.record.folder;

import dev.medley.base.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps lines of one kind, bounded in number and bytes. When a bound is passed, every second of the
 * older lines is left out; the first ones, the newest quarter, and what the owner marks stay, the
 * last only as long as that is enough. So older lines are sparser, and none that was just written
 * is missing. The file is replaced as a whole. Guarded by the recorder's lock.
 */
final class BoundedLog<T> implements AutoCloseable {
    private static final int FIRST = 16;

    private final Path file;
    private final Class<T> type;
    private final RecorderOptions options;
    private final Function<List<T>, BitSet> marks;
    private LineLog log;
    private int lines;

    /** After a thinning that the disk refused, the next one waits for more lines. */
    private int linesAtRetry;

    private long leftOut;

    private BoundedLog(
            Path file,
            Class<T> type,
            RecorderOptions options,
            Function<List<T>, BitSet> marks,
            LineLog log)
            throws IOException {
        this.file = file;
        this.type = type;
        this.options = options;
        this.marks = marks;
        this.log = log;
        this.lines = log.lines();
    }

    /**
     * Opens the file.
     *
     * @param marks which of these lines say more than others, by their places in the list
     */
    static <T> BoundedLog<T> open(
            Path file, Class<T> type, RecorderOptions options, Function<List<T>, BitSet> marks)
            throws IOException {
        return new BoundedLog<>(file, type, options, marks, LineLog.open(file));
    }

    /** Appends a line. */
    void append(T value) throws IOException {
        log.append(Json.line(value));
        lines++;
        if (lines > linesAtRetry
                && (lines > options.otherLines() || log.bytes() > options.otherBytes())) {
            linesAtRetry = lines + options.otherLines() / 8;
            thin();
            linesAtRetry = 0;
        }
    }

    /** How many lines were left out since it was opened. */
    long leftOut() {
        return leftOut;
    }

    /** Makes its file again, with all that is in it, where that was removed. */
    void restore() throws IOException {
        log = log.at(file);
    }

    @Override
    public void close() throws IOException {
        log.close();
    }

    private void thin() throws IOException {
        List<T> all = JsonLines.read(file, type).values();
        BitSet kept = kept(all, marks.apply(all));
        if (kept.cardinality() > all.size() * 7 / 8) {
            kept = kept(all, null);
        }
        List<T> staying = new ArrayList<>();
        kept.stream().forEach(i -> staying.add(all.get(i)));
        StringBuilder text = new StringBuilder();
        staying.forEach(value -> text.append(Json.line(value)).append('\n'));
        AtomicWrite.bytes(file, text.toString().getBytes(StandardCharsets.UTF_8));
        LineLog before = log;
        log = LineLog.open(file);
        before.close();
        leftOut += lines - staying.size();
        lines = staying.size();
    }

    private static <T> BitSet kept(List<T> all, @Nullable BitSet marked) {
        BitSet kept = new BitSet();
        int newest = all.size() - all.size() / 4;
        for (int i = 0; i < all.size(); i++) {
            boolean stays = i < Math.min(FIRST, all.size() / 8) || i >= newest || i % 2 == 0;
            kept.set(i, stays || (marked != null && marked.get(i)));
        }
        return kept;
    }
}
