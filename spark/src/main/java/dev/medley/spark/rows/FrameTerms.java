package dev.medley.spark.rows;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.table.TermSpec;
import dev.medley.data.table.term.TermCounts;
import dev.medley.data.table.term.TermFit;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;

/**
 * Fits the columns of terms of a DataFrame on all rows to learn from. Each partition counts its
 * words as a file's are counted, the counts of a word are added up in one place, and the driver
 * gets those of the most frequent words alone.
 *
 * <p>Thread: the caller's.
 */
final class FrameTerms {
    private static final int MOST_PARTS = 64;

    private FrameTerms() {}

    /**
     * A word of a column; of no letters for what is counted of the column besides.
     *
     * @param column its place among the columns of terms
     */
    private record Word(int column, String word) implements Serializable {
        /** The same in all processes, as that of a record need not be. */
        @Override
        public int hashCode() {
            return 31 * word.hashCode() + column;
        }
    }

    /**
     * Counts that are added up.
     *
     * @param rows that have the word, or all to learn from
     * @param longRows of which not all terms are kept
     * @param most terms of a row
     * @param tooLow by how much a count is too low at most
     */
    private record Tally(long rows, long longRows, int most, long tooLow) implements Serializable {
        Tally with(Tally more) {
            return new Tally(
                    rows + more.rows,
                    longRows + more.longRows,
                    Math.max(most, more.most),
                    tooLow + more.tooLow);
        }
    }

    /** Counts in a partition. */
    private record Count(FrameColumns columns, TermSpec spec, List<String> names, HeldOut heldOut)
            implements Function2<Integer, Iterator<InternalRow>, Iterator<Tuple2<Word, Tally>>> {
        @Override
        public Iterator<Tuple2<Word, Tally>> call(Integer partition, Iterator<InternalRow> rows) {
            FrameReader reader = new FrameReader(columns, List.of(), names);
            List<TermFit> fits = names.stream().map(name -> TermFit.ofTexts(name, spec)).toList();
            HeldOut.Rows draw = heldOut.of(partition);
            RowValues.Inside inside = new RowValues.Inside();
            while (rows.hasNext()) {
                RowValues row = inside.of(rows.next());
                String unused = reader.read(row);
                String unusedToo = draw.next(reader, row); // Said where rows are encoded.
                for (int i = 0; i < fits.size(); i++) {
                    if (draw.isHeld()) {
                        fits.get(i).judge(reader.texts[i]);
                    } else {
                        fits.get(i).train(reader.texts[i]);
                    }
                }
            }
            List<Tuple2<Word, Tally>> all = new ArrayList<>();
            for (int i = 0; i < fits.size(); i++) {
                int column = i;
                TermCounts counts = fits.get(i).counts();
                all.add(
                        new Tuple2<>(
                                new Word(i, ""),
                                new Tally(
                                        counts.trainRows(),
                                        counts.longRows(),
                                        counts.most(),
                                        counts.tooLow())));
                counts.words()
                        .forEach(
                                (word, count) ->
                                        all.add(
                                                new Tuple2<>(
                                                        new Word(column, word),
                                                        new Tally(count, 0, 0, 0))));
            }
            return all.iterator();
        }
    }

    /** Keeps those that may be among the most frequent. */
    private static List<TermCounts> kept(
            Iterator<Tuple2<Word, Tally>> words, TermSpec spec, int columns) {
        List<Map<String, Long>> found = new ArrayList<>();
        TermCounts[] besides = new TermCounts[columns];
        for (int i = 0; i < columns; i++) {
            found.add(new HashMap<>());
            besides[i] = TermCounts.NONE;
        }
        while (words.hasNext()) {
            Tuple2<Word, Tally> next = words.next();
            Tally tally = next._2();
            int column = next._1().column();
            if (next._1().word().isEmpty()) {
                besides[column] =
                        new TermCounts(
                                Map.of(),
                                0,
                                tally.rows(),
                                tally.longRows(),
                                tally.most(),
                                tally.tooLow());
            } else {
                found.get(column).put(next._1().word(), tally.rows());
            }
        }
        List<TermCounts> kept = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            Map<String, Long> of = found.get(i);
            TermCounts all = besides[i].with(new TermCounts(of, of.size(), 0, 0, 0, 0));
            kept.add(all.mostFrequent(spec.minFrequency(), spec.vocabulary()));
        }
        return kept;
    }

    /** The columns of terms that are there, by name; one pass over the rows if there are any. */
    static Map<String, TermFit> fit(
            JavaRDD<InternalRow> rows, FrameColumns columns, TermSpec spec, HeldOut heldOut) {
        List<String> names = new ArrayList<>();
        for (FrameColumn column : columns.columns()) {
            if (spec.columns().contains(column.name())) {
                check(
                        column.kind() != FrameColumn.Kind.MOMENT,
                        "data.table.%s=%s: a date or a timestamp has no terms; cast it to a string",
                        spec.text().contains(column.name()) ? "text" : "hashed",
                        column.name());
                names.add(column.name());
            }
        }
        if (names.isEmpty()) {
            return Map.of();
        }
        int count = names.size();
        PairFlatMapFunction<Iterator<Tuple2<Word, Tally>>, Word, Tally> same = pairs -> pairs;
        List<List<TermCounts>> parts =
                rows.mapPartitionsWithIndex(new Count(columns, spec, names, heldOut), false)
                        .mapPartitionsToPair(same)
                        .reduceByKey(Tally::with, Math.min(MOST_PARTS, rows.getNumPartitions()))
                        .mapPartitions(words -> List.of(kept(words, spec, count)).iterator())
                        .collect();
        Map<String, TermFit> fits = new HashMap<>();
        for (int i = 0; i < count; i++) {
            TermCounts all = TermCounts.NONE;
            for (List<TermCounts> part : parts) {
                all = all.with(part.get(i));
            }
            fits.put(names.get(i), TermFit.of(names.get(i), spec, all));
        }
        return fits;
    }
}
