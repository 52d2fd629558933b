package dev.medley.data.table;

import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.engine.TableScan;
import dev.medley.data.table.fit.CategoryKey;
import dev.medley.data.table.fit.RowSource;
import dev.medley.data.table.term.TermCoder;
import dev.medley.data.table.term.TermFit;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes the terms of a row's texts into its record; see {@link RowLayout}. */
final class TermWriter {
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** A column, where the scan has it, and which of all terms its first one is. */
    private record Place(SparseColumn column, TermCoder coder, int from, int at, int first) {}

    private final RowLayout layout;
    private final List<Place> places = new ArrayList<>();

    /** For texts of the columns of these names, in that order. */
    TermWriter(TableEncoding encoding, List<String> names, RowLayout layout) {
        this.layout = layout;
        int at = layout.termsAt();
        int first = 0;
        for (SparseColumn column : encoding.ofTerms()) {
            int from = names.indexOf(column.name());
            places.add(new Place(column, coder(encoding, column), from, at, first));
            at += column.slots() * RowLayout.TERM_BYTES;
            first += column.width();
        }
    }

    /** A coder of texts as the files of an encoding write them. */
    static TermCoder coder(TableEncoding encoding, SparseColumn column) {
        DecimalMark decimal = DecimalMark.of(encoding.csv());
        return TermCoder.of(column, text -> CategoryKey.of(text, decimal));
    }

    /** The same encoding with room for the terms of all rows of a table. */
    static TableEncoding room(TableEncoding encoding, DuckDb db, String table, RowSource source)
            throws IOException {
        List<SparseColumn> columns = encoding.ofTerms();
        if (columns.isEmpty()) {
            return encoding;
        }
        List<TermCoder> coders = columns.stream().map(column -> coder(encoding, column)).toList();
        int[] most = new int[coders.size()];
        source.ofTexts()
                .scan(
                        db,
                        table,
                        chunk -> {
                            for (int i = 0; i < most.length; i++) {
                                for (int row = 0; row < chunk.rows; row++) {
                                    int terms = coders.get(i).count(chunk.texts[i][row]);
                                    most[i] = Math.max(most[i], terms);
                                }
                            }
                        });
        return encoding.withSlots(
                IntStream.range(0, most.length)
                        .mapToObj(i -> TermFit.room(columns.get(i), most[i]))
                        .toList());
    }

    void write(TableScan.Chunk chunk, byte[] records) {
        for (Place place : places) {
            @Nullable String[] texts = chunk.texts[place.from()];
            for (int row = 0; row < chunk.rows; row++) {
                write(place, texts[row], records, row * layout.bytes() + place.at());
            }
        }
    }

    /** Writes those of one row, whose record begins at {@code at}. */
    void write(@Nullable String[] texts, byte[] record, int at) {
        for (Place place : places) {
            write(place, texts[place.from()], record, at + place.at());
        }
    }

    /** Slots that each column needs for the rows that were written. */
    List<Integer> room() {
        return places.stream()
                .map(place -> TermFit.room(place.column(), place.coder().most()))
                .toList();
    }

    private static void write(Place place, @Nullable String text, byte[] records, int from) {
        int at = from;
        for (Map.Entry<Integer, Double> term : place.coder().of(text).entrySet()) {
            INTS.set(records, at, place.first() + term.getKey());
            FLOATS.set(records, at + Integer.BYTES, term.getValue().floatValue());
            at += RowLayout.TERM_BYTES;
        }
        for (int end = from + place.column().slots() * RowLayout.TERM_BYTES; at < end; at += 4) {
            INTS.set(records, at, 0);
        }
    }
}
