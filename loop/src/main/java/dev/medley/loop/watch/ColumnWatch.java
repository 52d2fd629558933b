package dev.medley.loop.watch;

import dev.medley.loop.column.NumberProfile;
import dev.medley.loop.monitor.CategoryMonitor;
import dev.medley.loop.monitor.MonitorOptions;
import dev.medley.loop.monitor.NumberMonitor;
import dev.medley.loop.monitor.Standing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the monitor of one column between runs, and what is kept of the newest rows: those of the
 * last windows, as many as make a thousand rows.
 *
 * @param numbers the monitor's state; null for categories
 * @param categories the monitor's state; null for numbers
 * @param standing after the last window; null before the first
 * @param newest what is kept of the last windows, the oldest first
 */
public record ColumnWatch(
        String column,
        NumberMonitor.@Nullable State numbers,
        CategoryMonitor.@Nullable State categories,
        @Nullable Standing standing,
        List<KeptColumn> newest) {
    private static final long NEWEST_ROWS = 1000;

    public ColumnWatch {
        newest = List.copyOf(newest);
    }

    /** Before the first window; null where there is nothing to compare with. */
    static @Nullable ColumnWatch begun(KeptColumn before, MonitorOptions options) {
        if (before.present() == 0) {
            return null;
        }
        NumberProfile numbers = before.numbers();
        return numbers != null
                ? new ColumnWatch(
                        before.column(),
                        new NumberMonitor(numbers.reference(options.seed()), options).state(),
                        null,
                        null,
                        List.of())
                : new ColumnWatch(
                        before.column(),
                        null,
                        new CategoryMonitor(before.ofCategories().reference(), options).state(),
                        null,
                        List.of());
    }

    boolean hasNumbers() {
        return numbers != null;
    }

    /**
     * After one more window.
     *
     * @param file of its rows; at least one
     * @param part a number that no other window has
     */
    ColumnWatch after(ColumnReader reader, Path file, String name, long part) {
        List<KeptColumn> kept =
                kept(
                        hasNumbers()
                                ? reader.keptNumbers(file, name, part)
                                : reader.keptCategories(file, name));
        if (numbers != null) {
            NumberMonitor monitor = new NumberMonitor(numbers);
            Standing now = monitor.add(reader.numbers(file, name));
            return new ColumnWatch(column, monitor.state(), null, now, kept);
        }
        CategoryMonitor.State before = categories;
        if (before == null) {
            throw new IllegalStateException("column " + column + " has no monitor");
        }
        CategoryMonitor monitor = new CategoryMonitor(before);
        Standing now = monitor.add(reader.texts(file, name));
        return new ColumnWatch(column, null, monitor.state(), now, kept);
    }

    private List<KeptColumn> kept(KeptColumn window) {
        List<KeptColumn> kept = new ArrayList<>(newest);
        kept.add(window);
        long rows = kept.stream().mapToLong(KeptColumn::rows).sum();
        while (rows - kept.get(0).rows() >= NEWEST_ROWS) {
            rows -= kept.remove(0).rows();
        }
        return kept;
    }

    /** What is kept of the newest rows; null before the first window. */
    @Nullable KeptColumn now() {
        return newest.isEmpty() ? null : KeptColumn.merged(newest);
    }
}
