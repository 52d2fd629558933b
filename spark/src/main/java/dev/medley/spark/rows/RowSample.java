package dev.medley.spark.rows;

import dev.medley.base.Seeds;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Draws rows of a DataFrame at random, to fit an encoding on, and finds the classes of its label.
 * Each row has a random key, and those with the lowest are kept, of all partitions together: the
 * bottom-k sketch (Cohen and Kaplan 2007), which does not depend on how partitions are computed. No
 * partition gives more than four times its even share of them.
 *
 * <p>Thread: the caller's.
 *
 * @param rows drawn, in the order in which they lie, as lines of CSV without their end
 * @param count of all rows
 * @param classes the different labels; empty where there are too many to be classes
 * @param trouble what is wrong with a row; null if nothing
 */
record RowSample(List<String> rows, long count, List<String> classes, @Nullable String trouble) {
    private static final long CELLS = 2_000_000;
    private static final int MOST_ROWS = 20_000;
    private static final int FEWEST_ROWS = 2_000;
    private static final int FEWEST_OF_PART = 200;

    /** Of a partition so many times its even share, so that partitions may be uneven. */
    private static final int UNEVEN = 4;

    private static final int MOST_CLASSES = 1_000;
    private static final long PURPOSE = 0x53616d706cL;

    /** In place of a text that is fitted on all rows. */
    private static final String TERM = "term";

    /** A row that was drawn. */
    private static final class Drawn implements Serializable {
        private static final long serialVersionUID = 1L;

        private final long key;
        private final int partition;
        private final long row;
        private final double[] numbers;
        private final @Nullable String[] texts;
        private final @Nullable String label;
        private final double weight;
        private final @Nullable String group;

        Drawn(long key, int partition, long row, FrameReader reader, RowValues values) {
            this.key = key;
            this.partition = partition;
            this.row = row;
            this.numbers = reader.numbers.clone();
            this.texts = reader.texts.clone();
            this.label = reader.hasLabel(values) ? reader.labelText(values) : null;
            this.weight = reader.weight(values);
            this.group = reader.group(values);
        }

        private Drawn(Drawn like, double[] numbers) {
            this.key = like.key;
            this.partition = like.partition;
            this.row = like.row;
            this.numbers = numbers;
            this.texts = like.texts;
            this.label = like.label;
            this.weight = like.weight;
            this.group = like.group;
        }

        long key() {
            return key;
        }

        int partition() {
            return partition;
        }

        long row() {
            return row;
        }

        double[] numbers() {
            return numbers;
        }

        /** The same row with other numbers. */
        Drawn with(double[] others) {
            return new Drawn(this, others);
        }

        /** As CSV has it. */
        String line(FrameColumns columns) {
            StringBuilder line = new StringBuilder();
            int at = 0;
            for (FrameColumn column : columns.columns()) {
                if (column.kind() != FrameColumn.Kind.TEXT) {
                    line.append(text(column, numbers[at++])).append(',');
                }
            }
            for (String text : texts) {
                line.append(text == null ? "" : quoted(text)).append(',');
            }
            if (columns.roles().label() >= 0) {
                line.append(label == null ? "" : quoted(label)).append(',');
            }
            if (columns.roles().weight() >= 0) {
                line.append(weight).append(',');
            }
            if (columns.roles().group() >= 0) {
                line.append(group == null ? "" : quoted(group)).append(',');
            }
            line.setLength(Math.max(0, line.length() - 1));
            return line.toString();
        }

        private static String text(FrameColumn column, double number) {
            if (Double.isNaN(number)) {
                return "";
            }
            return column.kind() == FrameColumn.Kind.MOMENT
                    ? Instant.ofEpochMilli(Math.round(number * 1e3)).toString()
                    : FrameReader.text(number);
        }
    }

    /** What a partition has. */
    private record Part(
            List<Drawn> drawn,
            long count,
            Map<String, Drawn> first,
            ColumnValues values,
            @Nullable String trouble)
            implements Serializable {}

    /** Draws in one partition. */
    private static final class Draw
            implements Function2<Integer, Iterator<InternalRow>, Iterator<Part>> {
        private static final long serialVersionUID = 1L;

        private final FrameColumns columns;
        private final boolean hasClasses;
        private final Set<String> terms;
        private final int most;
        private final long seed;

        Draw(FrameColumns columns, Wanted wanted, int most, long seed) {
            this.hasClasses = wanted.hasClasses();
            this.terms = Set.copyOf(wanted.terms());
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
            FrameReader reader = new FrameReader(columns, numbers, texts);
            PriorityQueue<Drawn> kept =
                    new PriorityQueue<>(Comparator.comparingLong(Drawn::key).reversed());
            Map<String, Drawn> first = new HashMap<>();
            boolean[] areTerms = new boolean[texts.size()];
            for (int i = 0; i < areTerms.length; i++) {
                areTerms[i] = terms.contains(texts.get(i));
            }
            long count = 0;
            long stream = Seeds.of(seed, PURPOSE, partition);
            RowValues.Inside inside = new RowValues.Inside();
            ColumnValues values = new ColumnValues(numbers.size());
            Set<Object> labels = new HashSet<>();
            while (rows.hasNext()) {
                RowValues row = inside.of(rows.next());
                long number = count++;
                long key = Seeds.of(stream, number);
                boolean isKept = kept.size() < most || key < kept.peek().key();
                boolean isFirst =
                        hasClasses
                                && reader.hasLabel(row)
                                && labels.size() < MOST_CLASSES
                                && labels.add(reader.labelKey(row));
                if (!isKept && !isFirst && values.areKnown()) {
                    continue;
                }
                boolean isLabelled = columns.roles().label() < 0 || reader.hasLabel(row);
                String trouble = isLabelled ? reader.read(row) : Encode.NO_LABEL;
                if (trouble != null) {
                    return List.of(new Part(List.of(), count, Map.of(), values, trouble))
                            .iterator();
                }
                values.add(reader.numbers);
                if (!isKept && !isFirst) {
                    continue;
                }
                for (int i = 0; i < areTerms.length; i++) {
                    reader.texts[i] = areTerms[i] ? TERM : reader.texts[i];
                }
                Drawn drawn = new Drawn(key, partition, number, reader, row);
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
            return List.of(new Part(new ArrayList<>(kept), count, first, values, null)).iterator();
        }
    }

    /** The names of the columns in the order of the lines. */
    static List<String> header(FrameColumns columns, String label, String weight, String group) {
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
        if (columns.roles().group() >= 0) {
            names.add(group);
        }
        return names;
    }

    static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    /**
     * What rows are drawn for.
     *
     * @param hasClasses whether the label may be one of classes, of each of which a row is drawn
     * @param terms columns that are fitted on all rows, whose texts are not drawn
     */
    record Wanted(boolean hasClasses, Set<String> terms) {}

    /** Draws; one pass over the rows. */
    static RowSample of(JavaRDD<InternalRow> rows, FrameColumns columns, Wanted wanted, long seed) {
        long fit = CELLS / Math.max(1, columns.columns().size());
        int most = (int) Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, fit));
        int each =
                Math.min(most, Math.max(FEWEST_OF_PART, UNEVEN * most / rows.getNumPartitions()));
        List<Part> parts =
                rows.mapPartitionsWithIndex(new Draw(columns, wanted, each, seed), false).collect();
        List<Drawn> drawn = new ArrayList<>();
        Map<String, Drawn> first = new TreeMap<>();
        long count = 0;
        ColumnValues values = null;
        for (Part part : parts) {
            if (part.trouble() != null) {
                return new RowSample(List.of(), part.count(), List.of(), part.trouble());
            }
            values = values == null ? part.values() : values.with(part.values());
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
        List<Drawn> inOrder =
                new ArrayList<>(
                        all.stream()
                                .distinct()
                                .sorted(
                                        Comparator.comparingInt(Drawn::partition)
                                                .thenComparingLong(Drawn::row))
                                .toList());
        if (values != null && !all.isEmpty() && all.size() < count) {
            Drawn last = inOrder.get(inOrder.size() - 1); // Whose group goes on.
            for (double[] numbers : values.unseen(inOrder.stream().map(Drawn::numbers).toList())) {
                inOrder.add(last.with(numbers));
            }
        }
        List<String> lines = inOrder.stream().map(row -> row.line(columns)).toList();
        return new RowSample(
                lines, count, areClasses ? List.copyOf(first.keySet()) : List.of(), null);
    }
}
