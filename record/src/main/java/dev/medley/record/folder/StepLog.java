package dev.medley.record.folder;

import dev.medley.base.Json;
import dev.medley.record.entry.StepRange;
import dev.medley.record.entry.StepRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the lines of steps, bounded in number and bytes. When a bound is passed, the step numbers
 * that are kept become twice as sparse (every second, every fourth, ...), and so do the steps to
 * come. The first step and the last always stay, so that the kept ones span the whole run. The file
 * is replaced as a whole. Guarded by the recorder's lock.
 */
final class StepLog implements AutoCloseable {
    private final Path file;
    private final RecorderOptions options;
    private LineLog log;

    /** Of each line: its step, and its bytes with the line feed. */
    private long[] steps = new long[1024];

    private int[] lengths = new int[1024];
    private int lines;
    private long stride = 1;

    /** After a thinning that the disk refused, the next one waits for more lines. */
    private int linesAtRetry;

    private @Nullable StepRecord leftOut;

    private StepLog(Path file, RecorderOptions options, LineLog log) {
        this.file = file;
        this.options = options;
        this.log = log;
    }

    /** Opens the file and forgets the steps after {@code lastStep}. */
    static StepLog open(Path file, RecorderOptions options, long lastStep) throws IOException {
        List<StepRecord> kept =
                JsonLines.read(file, StepRecord.class).values().stream()
                        .filter(step -> step.step() <= lastStep)
                        .toList();
        List<byte[]> lines = kept.stream().map(StepLog::line).toList();
        if (Files.exists(file)) {
            AtomicWrite.content(
                    file,
                    channel -> {
                        for (byte[] line : lines) {
                            AtomicWrite.all(channel, ByteBuffer.wrap(line));
                        }
                    });
        }
        StepLog log = new StepLog(file, options, LineLog.open(file));
        for (int i = 0; i < lines.size(); i++) {
            log.note(kept.get(i).step(), lines.get(i).length);
        }
        log.stride = usualGap(kept);
        return log;
    }

    /** Writes the step if it is one of those that are kept. */
    void append(StepRecord step) throws IOException {
        if (lines > 0 && step.step() % stride != 0) {
            leftOut = step;
            return;
        }
        leftOut = null;
        long before = log.bytes();
        log.append(Json.line(step));
        note(step.step(), (int) (log.bytes() - before));
        if (lines > linesAtRetry
                && (lines > options.stepLines() || log.bytes() > options.stepBytes())) {
            linesAtRetry = lines + options.stepLines() / 8;
            thin();
            linesAtRetry = 0;
        }
    }

    /** Steps without a line up to {@code last}, beside those that were thinned out. */
    List<StepRange> gaps(long last) {
        List<StepRange> gaps = new ArrayList<>();
        long before = 0;
        for (int i = 0; i <= lines; i++) {
            long next = i < lines ? steps[i] : last + 1;
            if (next - before > stride) {
                gaps.add(new StepRange(before + 1, next - 1));
            }
            before = next;
        }
        return gaps;
    }

    /** Makes its file again, with all that is in it, where that was removed. */
    void restore() throws IOException {
        log = log.at(file);
    }

    /** Writes the last step if it was left out, and closes. */
    @Override
    public void close() throws IOException {
        try (LineLog closing = log) {
            if (leftOut != null) {
                closing.append(Json.line(leftOut));
            }
        }
    }

    /** Closes what another log has taken the place of. */
    void discard() throws IOException {
        log.close();
    }

    private static byte[] line(StepRecord step) {
        return (Json.line(step) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** The stride under which most lines were written: a power of two. */
    private static long usualGap(List<StepRecord> steps) {
        int middle = steps.size() / 2;
        return middle < 2
                ? 1
                : Long.highestOneBit(
                        Math.max(1, steps.get(middle).step() - steps.get(middle - 1).step()));
    }

    private void thin() throws IOException {
        boolean[] keep = new boolean[lines];
        long sparser = 2 * stride;
        while (!isSparse(keep, sparser)) {
            sparser *= 2;
        }
        FileChannel from = log.channel();
        replace(to -> copyKept(keep, from, to));
        int kept = 0;
        for (int i = 0; i < keep.length; i++) {
            if (keep[i]) {
                steps[kept] = steps[i];
                lengths[kept] = lengths[i];
                kept++;
            }
        }
        lines = kept;
        stride = sparser;
    }

    /** Marks what stays at this stride, and says whether that is at most half of the bounds. */
    private boolean isSparse(boolean[] keep, long every) {
        int count = 0;
        long bytes = 0;
        for (int i = 0; i < lines; i++) {
            keep[i] = i == 0 || steps[i] % every == 0;
            count += keep[i] ? 1 : 0;
            bytes += keep[i] ? lengths[i] : 0;
        }
        return count <= 2 || (count <= options.stepLines() / 2 && bytes <= options.stepBytes() / 2);
    }

    private void copyKept(boolean[] keep, FileChannel from, FileChannel to) throws IOException {
        long position = 0;
        for (int i = 0; i < lines; i++) {
            long end = position + lengths[i];
            if (keep[i]) {
                LineLog.copy(from, position, end, to);
            }
            position = end;
        }
    }

    private void replace(AtomicWrite.Content content) throws IOException {
        AtomicWrite.content(file, content);
        LineLog before = log;
        log = LineLog.open(file);
        before.close();
    }

    private void note(long step, int length) {
        if (lines == steps.length) {
            steps = Arrays.copyOf(steps, 2 * lines);
            lengths = Arrays.copyOf(lengths, 2 * lines);
        }
        steps[lines] = step;
        lengths[lines] = length;
        lines++;
    }
}
