package dev.medley.data.table;

import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.engine.TableScan;
import dev.medley.data.table.fit.DateFeatures;
import dev.medley.data.table.fit.Dictionary;
import dev.medley.data.table.fit.LabelChoice;
import dev.medley.data.table.fit.RowSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Encodes chunks of a scan to records, column by column; see {@link RowLayout}. */
final class RecordWriter {
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** A dense column of the encoding and where the scan has it. */
    private record DensePlace(Dense column, int from, int at, int width) {}

    /** A category of the encoding, where the scan has it, and its codes. */
    private record CodePlace(int from, int at, Codes codes) {}

    /** Codes of the encoding by dictionary code; unknown and missing values have codes too. */
    private static final class Codes {
        private final int[] byCode;

        Codes(int[] byCode) {
            this.byCode = byCode;
        }

        int of(int dictionaryCode) {
            return byCode[dictionaryCode + 2];
        }
    }

    private final RowSource source;
    private final RowLayout layout;
    private final List<DensePlace> dense = new ArrayList<>();
    private final List<CodePlace> codes = new ArrayList<>();
    private final TermWriter terms;
    private byte[] records = new byte[0];

    /** For the scan of {@code source}, which has all columns of {@code encoding}. */
    RecordWriter(TableEncoding encoding, RowSource source) {
        this.source = source;
        this.layout = RowLayout.of(encoding);
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < source.dense().size(); i++) {
            places.put(source.dense().get(i).name(), i);
        }
        int at = 0;
        for (Dense column : encoding.dense()) {
            int width = column.features().size();
            dense.add(new DensePlace(column, place(places, column), at, width));
            at += width;
        }
        places.clear();
        for (int i = 0; i < source.coded().size(); i++) {
            places.put(source.coded().get(i).column().name(), i);
        }
        int next = layout.codesAt();
        List<Category> categories = new ArrayList<>(encoding.oneHot());
        categories.addAll(encoding.embedded());
        for (Category category : categories) {
            int from = place(places, category);
            List<String> values = source.coded().get(from).dictionary().values();
            codes.add(new CodePlace(from, next, new Codes(codes(category, values))));
            next += Integer.BYTES;
        }
        List<String> texts = source.texts().stream().map(column -> column.name()).toList();
        terms = new TermWriter(encoding, texts, layout);
    }

    private static int place(Map<String, Integer> places, ColumnEncoding column) {
        Integer place = places.get(column.name());
        if (place == null) {
            throw new IllegalStateException("the scan has no column " + column.name());
        }
        return place;
    }

    private static int[] codes(Category category, List<String> values) {
        Map<String, Integer> known = new HashMap<>();
        for (int i = 0; i < category.values().size(); i++) {
            known.put(category.values().get(i), i);
        }
        int[] codes = new int[values.size() + 2];
        codes[Dictionary.UNKNOWN + 2] = category.unknownCode();
        codes[Dictionary.MISSING + 2] = category.missingCode();
        for (int i = 0; i < values.size(); i++) {
            codes[i + 2] = known.getOrDefault(values.get(i), category.unknownCode());
        }
        return codes;
    }

    /** Bytes of one record. */
    int recordBytes() {
        return layout.bytes();
    }

    /** The records of a chunk, one behind the other; valid until the next call. */
    byte[] encode(TableScan.Chunk chunk) {
        if (records.length < chunk.rows * layout.bytes()) {
            records = new byte[chunk.rows * layout.bytes()];
        }
        for (DensePlace place : dense) {
            double[] values = chunk.numbers[place.from()];
            if (place.column() instanceof Numeric numeric) {
                number(place, numeric, values, chunk.rows);
            } else if (place.column() instanceof Moment moment) {
                moment(place, moment, values, chunk.rows);
            }
        }
        for (CodePlace place : codes) {
            int[] values = chunk.codes[place.from()];
            for (int row = 0; row < chunk.rows; row++) {
                INTS.set(records, row * layout.bytes() + place.at(), place.codes().of(values[row]));
            }
        }
        terms.write(chunk, records);
        target(chunk);
        if (layout.weights() > 0) {
            weight(chunk);
        }
        if (layout.groups() > 0) {
            group(chunk);
        }
        return records;
    }

    private void number(DensePlace place, Numeric numeric, double[] values, int rows) {
        int at = place.at() * Float.BYTES;
        for (int row = 0; row < rows; row++) {
            FLOATS.set(records, at, RowEncoder.scaled(numeric, values[row]));
            if (numeric.missingIndicator()) {
                FLOATS.set(records, at + Float.BYTES, Double.isNaN(values[row]) ? 1f : 0f);
            }
            at += layout.bytes();
        }
    }

    private void moment(DensePlace place, Moment moment, double[] values, int rows) {
        float[] features = new float[place.width()];
        for (int row = 0; row < rows; row++) {
            int end = DateFeatures.put(moment, values[row], features, 0);
            if (moment.missingIndicator()) {
                features[end] = Double.isNaN(values[row]) ? 1 : 0;
            }
            int at = row * layout.bytes() + place.at() * Float.BYTES;
            for (int i = 0; i < features.length; i++) {
                FLOATS.set(records, at + i * Float.BYTES, features[i]);
            }
        }
    }

    /** Without weights a row counts one. */
    private void weight(TableScan.Chunk chunk) {
        int at = layout.weightAt();
        for (int row = 0; row < chunk.rows; row++, at += layout.bytes()) {
            FLOATS.set(records, at, (float) source.weight(chunk, row));
        }
    }

    private void group(TableScan.Chunk chunk) {
        int at = layout.groupAt();
        for (int row = 0; row < chunk.rows; row++, at += layout.bytes()) {
            FLOATS.set(records, at, source.beginsGroup(chunk, row) ? 1f : 0f);
        }
    }

    /** Without a label the target is 0. */
    private void target(TableScan.Chunk chunk) {
        LabelChoice label = source.label();
        int at = layout.targetAt();
        for (int row = 0; row < chunk.rows; row++, at += layout.bytes()) {
            if (label == null) {
                INTS.set(records, at, 0);
            } else if (label.isValue()) {
                FLOATS.set(records, at, (float) chunk.numbers[source.labelAt()][row]);
            } else {
                INTS.set(records, at, chunk.codes[source.labelAt()][row]);
            }
        }
    }
}
