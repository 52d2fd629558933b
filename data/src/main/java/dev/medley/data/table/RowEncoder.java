package dev.medley.data.table;

import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.fit.CategoryKey;
import dev.medley.data.table.fit.DateFeatures;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows that come one by one with their types, as those of a DataFrame do, to the records
 * that {@link RowLayout} describes. The record of a row is the one that a scan of a file with the
 * same row gives.
 *
 * <p>Thread: one.
 */
public final class RowEncoder {
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final TableEncoding encoding;
    private final RowLayout layout;
    private final List<Dense> dense;
    private final @Nullable Numeric[] plain;
    private final double[] centres;
    private final double[] scales;

    /** Whether a column is scaled and nothing else, as most are. */
    private final boolean[] isLinear;

    private final float[] features;
    private final List<Category> categories;
    private final List<Map<String, Integer>> codes = new ArrayList<>();
    private final DecimalMark decimal;
    private final TermWriter terms;

    /**
     * For rows of {@code encoding}. Of a row with more terms than it has room for, those that weigh
     * most are kept; see {@link #roomy}.
     */
    public RowEncoder(TableEncoding encoding) {
        this.encoding = encoding;
        this.layout = RowLayout.of(encoding);
        this.dense = encoding.dense();
        this.plain = new @Nullable Numeric[dense.size()];
        this.features = new float[encoding.denseCount()];
        this.centres = new double[plain.length];
        this.scales = new double[plain.length];
        this.isLinear = new boolean[plain.length];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = dense.get(i) instanceof Numeric numeric ? numeric : null;
            Scaling scaling = dense.get(i).scaling();
            centres[i] = scaling.centre();
            scales[i] = scaling.scale();
            isLinear[i] =
                    plain[i] != null
                            && scaling.clip() == 0
                            && !plain[i].missingIndicator()
                            && !plain[i].keepsMissing();
        }
        this.categories = new ArrayList<>(encoding.oneHot());
        this.categories.addAll(encoding.embedded());
        this.decimal = DecimalMark.of(encoding.csv());
        for (Category category : categories) {
            Map<String, Integer> known = new HashMap<>();
            for (int i = 0; i < category.values().size(); i++) {
                known.put(category.values().get(i), i);
            }
            for (int i = 0; i < category.values().size(); i++) {
                // 1 is the category of 1.0, and true that of True.
                known.putIfAbsent(CategoryKey.of(category.values().get(i), decimal), i);
            }
            codes.add(known);
        }
        this.terms = new TermWriter(encoding, texts(), layout);
    }

    /** Bytes of one record. */
    public int recordBytes() {
        return layout.bytes();
    }

    /** Names of the columns that are numbers, in the order in which {@link #encode} takes them. */
    public List<String> numbers() {
        return dense.stream().map(Dense::name).toList();
    }

    /** Names of the columns that are texts, likewise. */
    public List<String> texts() {
        List<String> names = new ArrayList<>(categories.stream().map(Category::name).toList());
        encoding.ofTerms().forEach(column -> names.add(column.name()));
        return names;
    }

    /** The same encoding with room for all terms of the rows that were encoded so far. */
    public TableEncoding roomy() {
        return encoding.withSlots(terms.room());
    }

    /** Says of a row's record that a group begins with it. */
    public void beginGroup(byte[] record, int at) {
        FLOATS.set(record, at + layout.groupAt(), 1f);
    }

    /**
     * Puts the record of a row.
     *
     * @param numbers NaN where there is none; seconds since 1970 for a moment
     * @param texts null where there is none
     * @param label the number of the class, or the number itself; anything where there is none
     * @param weight what the row counts
     */
    public void encode(
            double[] numbers,
            @Nullable String[] texts,
            double label,
            double weight,
            byte[] into,
            int at) {
        int next = at;
        for (int i = 0; i < plain.length; i++) {
            if (isLinear[i]) {
                // As Scaling has it, without an object for each number.
                double number = numbers[i];
                float scaled = (float) ((number - centres[i]) / scales[i]);
                FLOATS.set(into, next, Double.isNaN(number) ? 0 : scaled);
                next += Float.BYTES;
            } else {
                next = dense(i, numbers[i], into, next);
            }
        }
        for (int i = 0; i < categories.size(); i++) {
            INTS.set(into, next, code(i, texts[i]));
            next += Integer.BYTES;
        }
        terms.write(texts, into, at);
        if (encoding.label().isNone()) {
            INTS.set(into, at + layout.targetAt(), 0);
        } else if (encoding.label().classes().isEmpty()) {
            FLOATS.set(into, at + layout.targetAt(), (float) label);
        } else {
            INTS.set(into, at + layout.targetAt(), (int) label);
        }
        if (layout.weights() > 0) {
            FLOATS.set(into, at + layout.weightAt(), (float) weight);
        }
        if (layout.groups() > 0) {
            FLOATS.set(into, at + layout.groupAt(), 0f);
        }
    }

    private int dense(int column, double number, byte[] into, int at) {
        Numeric numeric = plain[column];
        if (numeric == null) {
            return moment((Moment) dense.get(column), number, into, at);
        }
        FLOATS.set(into, at, scaled(numeric, number));
        if (numeric.missingIndicator()) {
            FLOATS.set(into, at + Float.BYTES, Double.isNaN(number) ? 1f : 0f);
            return at + 2 * Float.BYTES;
        }
        return at + Float.BYTES;
    }

    private int moment(Moment moment, double seconds, byte[] into, int at) {
        int end = DateFeatures.put(moment, seconds, features, 0);
        if (moment.missingIndicator()) {
            features[end++] = Double.isNaN(seconds) ? 1 : 0;
        }
        for (int i = 0; i < end; i++) {
            FLOATS.set(into, at + i * Float.BYTES, features[i]);
        }
        return at + end * Float.BYTES;
    }

    private int code(int category, @Nullable String text) {
        Category column = categories.get(category);
        if (text == null || text.isEmpty()) {
            return column.missingCode();
        }
        Map<String, Integer> known = codes.get(category);
        Integer code = known.get(text);
        if (code == null) {
            code = known.getOrDefault(CategoryKey.of(text, decimal), column.unknownCode());
        }
        return code;
    }

    /** A number as its column's feature. */
    static float scaled(Numeric numeric, double value) {
        if (Double.isNaN(value)) {
            return numeric.keepsMissing() ? Float.NaN : 0;
        }
        float scaled = (float) numeric.scaling().of(value);
        return numeric.keepsMissing() && Float.isInfinite(scaled)
                ? Math.copySign(Float.MAX_VALUE, scaled) // Beyond what a float holds.
                : scaled;
    }
}
