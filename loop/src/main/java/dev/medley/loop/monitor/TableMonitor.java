package dev.medley.loop.monitor;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.text.DidYouMean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Watches the columns of a table, each with an equal share of the level. So a false alarm of any
 * column is as rare as promised, however columns hang together.
 */
public final class TableMonitor {
    private final Map<String, NumberMonitor> numbers = new TreeMap<>();
    private final Map<String, CategoryMonitor> categories = new TreeMap<>();

    /**
     * Before the first window.
     *
     * @param options of the whole table
     */
    public TableMonitor(
            Map<String, NumberReference> numberColumns,
            Map<String, CategoryReference> categoryColumns,
            MonitorOptions options) {
        int columns = numberColumns.size() + categoryColumns.size();
        ConfigException.check(columns > 0, "a table without columns has nothing to watch");
        MonitorOptions share = options.shared(columns);
        numberColumns.forEach(
                (name, reference) ->
                        numbers.put(
                                name,
                                new NumberMonitor(reference, share.seeded(seed(name, share)))));
        categoryColumns.forEach(
                (name, reference) ->
                        categories.put(
                                name,
                                new CategoryMonitor(reference, share.seeded(seed(name, share)))));
    }

    /** To go on from a state as if nothing had been between. */
    public TableMonitor(State state) {
        state.numbers.forEach((name, kept) -> numbers.put(name, new NumberMonitor(kept)));
        state.categories.forEach((name, kept) -> categories.put(name, new CategoryMonitor(kept)));
    }

    /** Where one column stands. */
    public record ColumnStanding(String column, Standing standing) {}

    /** The state between two windows, by column; JSON holds it. */
    public record State(
            Map<String, NumberMonitor.State> numbers,
            Map<String, CategoryMonitor.State> categories) {
        /** Copies. */
        public State {
            numbers = Map.copyOf(numbers);
            categories = Map.copyOf(categories);
        }
    }

    /**
     * One more window of all columns: where they stand, alarms first, then by evidence. A column
     * that is not there, or is not known, is an error.
     */
    public List<ColumnStanding> add(
            Map<String, double[]> numberRows,
            Map<String, ? extends List<? extends @Nullable String>> categoryRows) {
        requireSame(numbers.keySet(), numberRows.keySet(), "numbers");
        requireSame(categories.keySet(), categoryRows.keySet(), "categories");
        List<ColumnStanding> standings = new ArrayList<>();
        numberRows.forEach(
                (name, rows) ->
                        standings.add(new ColumnStanding(name, of(numbers, name).add(rows))));
        categoryRows.forEach(
                (name, rows) ->
                        standings.add(new ColumnStanding(name, of(categories, name).add(rows))));
        standings.sort(
                Comparator.comparing((ColumnStanding s) -> !s.standing().isAlarm())
                        .thenComparing(s -> -s.standing().evidence())
                        .thenComparing(ColumnStanding::column));
        return standings;
    }

    /** All that it needs to go on, between two windows. */
    public State state() {
        Map<String, NumberMonitor.State> kept = new LinkedHashMap<>();
        numbers.forEach((name, monitor) -> kept.put(name, monitor.state()));
        Map<String, CategoryMonitor.State> alsoKept = new LinkedHashMap<>();
        categories.forEach((name, monitor) -> alsoKept.put(name, monitor.state()));
        return new State(kept, alsoKept);
    }

    private static long seed(String column, MonitorOptions options) {
        return Seeds.of(options.seed(), CategoryReference.bucket(column), column.hashCode());
    }

    private static <T> T of(Map<String, T> monitors, String name) {
        T monitor = monitors.get(name);
        if (monitor == null) {
            throw new IllegalStateException("column " + name + " was looked for before");
        }
        return monitor;
    }

    private static void requireSame(Set<String> known, Set<String> given, String kind) {
        for (String name : new TreeSet<>(given)) {
            ConfigException.check(
                    known.contains(name),
                    "no column of %s called %s is watched; %swatched are %s",
                    kind,
                    name,
                    DidYouMean.of(name, known)
                            .map(near -> "did you mean %s? ".formatted(near))
                            .orElse(""),
                    known.isEmpty() ? "none" : String.join(", ", known));
        }
        Set<String> left = new TreeSet<>(known);
        left.removeAll(given);
        ConfigException.check(
                left.isEmpty(),
                "the window lacks the %s %s: give all columns that are watched, with missing values"
                        + " where there are none",
                kind,
                String.join(", ", left));
    }
}
