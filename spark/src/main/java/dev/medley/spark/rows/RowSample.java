package dev.medley.spark.rows;

import dev.medley.base.Seeds;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Draws rows of a DataFrame at random, to fit an encoding on, and finds the classes of its label.
 * Each row has a random key, and those with the lowest are kept, of all partitions together: the
 * bottom-k sketch (Cohen and Kaplan 2007), which does not depend on how partitions are computed.
 *
 * <p>Thread: the caller's.
 *
 * @param rows drawn, in the order in which they lie, as lines of CSV without their end
 * @param count of all rows
 * @param classes the different labels; empty where there are too many to be classes
 * @param trouble what is wrong with a row; null if nothing
 */
record RowSample(List<String> rows, long count, List<String> classes, @Nullable String trouble) {
    private static final long CELLS = 4_000_000;
    private static final int MOST_ROWS = 50_000;
    private static final int FEWEST_ROWS = 2_000;
    private static final int MOST_CLASSES = 10_000;
    private static final long PURPOSE = 0x53616d706cL;

    /** A row that was drawn. */
    private record Drawn(long key, int partition, long row, String line) implements Serializable {}

    /** What a partition has. */
    private record Part(
            List<Drawn> drawn, long count, Map<String, Drawn> first, @Nullable String trouble)
            implements Serializable {}

    /** Draws in one partition. */
    private static final class Draw
            implements Function2<Integer, Iterator<InternalRow>, Iterator<Part>> {
        private static final long serialVersionUID = 1L;

        private final FrameColumns columns;
        private final int most;
        private final long seed;

        Draw(FrameColumns columns, int most, long seed) {
            this.columns = columns;
            this.most = most;
            this.seed = seed;
        }

        @Override
        public Iterator<Part> call(Integer partition, Iterator<InternalRow> rows) {
            List<String> numbers = new ArrayList<>();
            List<String> texts = new ArrayList<>();
            for (FrameColumn column : columns.columns()) {
                (column.kind() == FrameColumn.Kind.TEXT ? texts : numbers).add(column.name());
            }
            RowReader reader = new RowReader(columns, numbers, texts);
            PriorityQueue<Drawn> kept =
                    new PriorityQueue<>(Comparator.comparingLong(Drawn::key).reversed());
            Map<String, Drawn> first = new HashMap<>();
            long count = 0;
            RowValues.Inside inside = new RowValues.Inside();
            while (rows.hasNext()) {
                RowValues row = inside.of(rows.next());
                long number = count++;
                long key = Seeds.of(seed, PURPOSE, partition, number);
                boolean isKept = kept.size() < most || key < kept.peek().key();
                boolean isFirst =
                        reader.hasLabel(row)
                                && first.size() < MOST_CLASSES
                                && !first.containsKey(reader.labelText(row));
                if (!isKept && !isFirst) {
                    continue;
                }
                String trouble = reader.read(row);
                if (trouble != null) {
                    return List.of(new Part(List.of(), count, Map.of(), trouble)).iterator();
                }
                Drawn drawn = new Drawn(key, partition, number, line(reader, row));
                if (isFirst) {
                    first.put(reader.labelText(row), drawn);
                }
                if (isKept) {
                    kept.add(drawn);
                    if (kept.size() > most) {
                        kept.poll();
                    }
                }
            }
            return List.of(new Part(new ArrayList<>(kept), count, first, null)).iterator();
        }

        private String line(RowReader reader, RowValues row) {
            StringBuilder line = new StringBuilder();
            int at = 0;
            for (FrameColumn column : columns.columns()) {
                if (column.kind() != FrameColumn.Kind.TEXT) {
                    line.append(text(column, reader.numbers[at++])).append(',');
                }
            }
            for (String text : reader.texts) {
                line.append(text == null ? "" : quoted(text)).append(',');
            }
            if (columns.roles().label() >= 0) {
                line.append(reader.hasLabel(row) ? quoted(reader.labelText(row)) : "").append(',');
            }
            if (columns.roles().weight() >= 0) {
                line.append(reader.weight(row)).append(',');
            }
            line.setLength(Math.max(0, line.length() - 1));
            return line.toString();
        }
    }

    private static String text(FrameColumn column, double number) {
        if (Double.isNaN(number)) {
            return "";
        }
        return column.kind() == FrameColumn.Kind.MOMENT
                ? Instant.ofEpochMilli(Math.round(number * 1e3)).toString()
                : RowReader.text(number);
    }

    /** The names of the columns in the order of the lines. */
    static List<String> header(FrameColumns columns, String label, String weight) {
        List<String> names = new ArrayList<>();
        for (FrameColumn column : columns.columns()) {
            if (column.kind() != FrameColumn.Kind.TEXT) {
                names.add(column.name());
            }
        }
        for (FrameColumn column : columns.columns()) {
            if (column.kind() == FrameColumn.Kind.TEXT) {
                names.add(column.name());
            }
        }
        if (columns.roles().label() >= 0) {
            names.add(label);
        }
        if (columns.roles().weight() >= 0) {
            names.add(weight);
        }
        return names;
    }

    static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Draws; one pass over the rows. */
    static RowSample of(JavaRDD<InternalRow> rows, FrameColumns columns, long seed) {
        long fit = CELLS / Math.max(1, columns.columns().size());
        int most = (int) Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, fit));
        List<Part> parts =
                rows.mapPartitionsWithIndex(new Draw(columns, most, seed), false).collect();
        List<Drawn> drawn = new ArrayList<>();
        Map<String, Drawn> first = new TreeMap<>();
        long count = 0;
        for (Part part : parts) {
            if (part.trouble() != null) {
                return new RowSample(List.of(), part.count(), List.of(), part.trouble());
            }
            drawn.addAll(part.drawn());
            part.first().forEach(first::putIfAbsent);
            count += part.count();
        }
        drawn.sort(Comparator.comparingLong(Drawn::key));
        List<Drawn> all = new ArrayList<>(drawn.subList(0, Math.min(most, drawn.size())));
        boolean areClasses = first.size() < MOST_CLASSES;
        if (areClasses) {
            all.addAll(first.values()); // Each class is there, however rare.
        }
        List<String> lines =
                all.stream()
                        .distinct()
                        .sorted(
                                Comparator.comparingInt(Drawn::partition)
                                        .thenComparingLong(Drawn::row))
                        .map(Drawn::line)
                        .toList();
        return new RowSample(
                lines, count, areClasses ? List.copyOf(first.keySet()) : List.of(), null);
    }
}
