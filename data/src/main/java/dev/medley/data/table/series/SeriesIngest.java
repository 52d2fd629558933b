package dev.medley.data.table.series;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardWriter;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.series.SeriesCategories.OneHot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Converts a table to windows over time. The rows of each series are written once, scaled; a window
 * is a place among them. A window of a split asks for rows of that split alone, and may see those
 * before it.
 */
public final class SeriesIngest {
    private final DataSpec spec;
    private final DataFormat format;
    private final Workplace place;

    /** For the table that {@code spec} describes. */
    public SeriesIngest(DataSpec spec, DataFormat format, Workplace place) {
        this.spec = spec;
        this.format = format;
        this.place = place;
    }

    /** Fits scales on the training part; both splits are windows of the same rows. */
    public Ingested ingest(List<Path> files) throws IOException {
        SeriesSpec series = Objects.requireNonNull(spec.series());
        return ingest(series, null, files);
    }

    /** The same splits, with an encoding that was fitted before. */
    public Ingested ingestAs(SeriesEncoding encoding, List<Path> files) throws IOException {
        SeriesSpec asked = Objects.requireNonNull(spec.series());
        return ingest(
                new SeriesSpec(
                        encoding.time(),
                        encoding.by(),
                        encoding.targets(),
                        encoding.aheadColumns(),
                        encoding.lookBack(),
                        encoding.horizon(),
                        asked.scaling(),
                        asked.validation(),
                        asked.test(),
                        asked.until()),
                encoding,
                files);
    }

    private Ingested ingest(SeriesSpec series, @Nullable SeriesEncoding given, List<Path> files)
            throws IOException {
        try (DuckDb db = DuckDb.forFiles(files, place.folder())) {
            SeriesRows rows = stage(db, series, given, files);
            Double until = until(series, rows.unit());
            if (until != null) {
                rows.cut(until, Objects.requireNonNull(series.until()));
            }
            Cadence cadence = given == null ? rows.cadence() : given.cadence();
            Extents extents = Extents.of(rows, cadence);
            Borders borders = Borders.of(series, cadence, rows.ends());
            boolean hasTest = extents.all() > sum(rows, s -> before(extents, s, borders, cadence));
            List<Category> categories =
                    given == null ? categories(rows, borders.validation()) : given.ofCategories();
            SeriesEncoding encoding =
                    new SeriesEncoding(
                            series.time(),
                            cadence,
                            series.by(),
                            rows.targets(),
                            rows.known(),
                            series.lookBack(),
                            series.horizon(),
                            given == null
                                    ? SeriesScales.fit(
                                            rows,
                                            series.scaling(),
                                            borders.validation(),
                                            categories)
                                    : given.scales(),
                            hasTest ? borders.test() : null,
                            until,
                            categories);
            Windows windows = new Windows(encoding);
            for (int s = 0; s < rows.names().size(); s++) {
                long train = extents.before(s, borders.validation(), cadence);
                windows.split(rows, s, train, before(extents, s, borders, cadence));
            }
            check(
                    windows.validation.windows() > 0 || borders.validation() == borders.test(),
                    "%s: no series has data.series.horizon=%d rows to validate on: let"
                            + " data.series.validation=%s be earlier, or a greater share",
                    rows.file(),
                    series.horizon(),
                    series.validation());
            write(encoding, rows, s -> 0, s -> before(extents, s, borders, cadence), 0);
            String sentence =
                    "%s; %,d windows of %d and %d rows to train, %,d to validate%s%s"
                            .formatted(
                                    told(rows, extents, cadence),
                                    windows.train.windows(),
                                    series.lookBack(),
                                    series.horizon(),
                                    windows.validation.windows(),
                                    windows.validation.windows() == 0
                                            ? ""
                                            : " from " + cadence.text(borders.validation()),
                                    hasTest
                                            ? "; from %s on rows are left for medley evaluate"
                                                    .formatted(cadence.text(borders.test()))
                                            : "");
            return ingested(rows, windows, true, told(sentence, rows, encoding));
        }
    }

    /** The windows to judge a trained model by: those that its training did not see. */
    public Ingested encode(SeriesEncoding encoding, List<Path> files) throws IOException {
        try (DuckDb db = DuckDb.forFiles(files, place.folder())) {
            SeriesRows rows = stage(db, like(encoding), encoding, files);
            if (encoding.until() != null) {
                rows.cut(encoding.until(), encoding.cadence().text(encoding.until()));
            }
            Cadence cadence = encoding.cadence();
            Extents extents = Extents.of(rows, cadence);
            Windows windows = new Windows(encoding);
            double from = encoding.test() == null ? -Double.MAX_VALUE : encoding.test();
            for (int s = 0; s < rows.names().size(); s++) {
                long test = extents.before(s, from, cadence);
                windows.all(Math.max(0, test - encoding.lookBack()), extents.rows(s));
            }
            check(
                    windows.validation.windows() > 0,
                    "%s: no series has a window of data.series.look_back=%d and"
                            + " data.series.horizon=%d rows%s: use longer series",
                    rows.file(),
                    encoding.lookBack(),
                    encoding.horizon(),
                    encoding.test() == null
                            ? ""
                            : " that asks for what is from %s on, where training ended"
                                    .formatted(cadence.text(from)));
            write(encoding, rows, s -> 0, extents::rows, 0);
            String sentence =
                    "%s; %,d windows%s"
                            .formatted(
                                    told(rows, extents, cadence),
                                    windows.validation.windows(),
                                    encoding.test() == null ? "" : " from " + cadence.text(from));
            return ingested(rows, windows, true, List.of(sentence));
        }
    }

    /** The last window of each series, which asks for what is not there yet. */
    public Ingested encodeInputs(SeriesEncoding encoding, List<Path> files) throws IOException {
        try (DuckDb db = DuckDb.forFiles(files, place.folder())) {
            SeriesRows rows = stage(db, like(encoding), encoding, files);
            Extents extents = Extents.of(rows, encoding.cadence());
            Windows windows = new Windows(encoding);
            for (int s = 0; s < rows.names().size(); s++) {
                check(
                        extents.rows(s) >= encoding.lookBack(),
                        "%s: %s has %d rows, fewer than the %d that the model looks back on: add"
                                + " those before them",
                        rows.file(),
                        rows.nameOf(s),
                        extents.rows(s),
                        encoding.lookBack());
                check(
                        encoding.ahead().isEmpty() || extents.ahead(s) >= encoding.horizon(),
                        "%s: %s says what is known ahead for %d rows after its last one, fewer than"
                                + " the %d of the forecast: add rows with a time and %s, and leave"
                                + " %s empty",
                        rows.file(),
                        rows.nameOf(s),
                        extents.ahead(s),
                        encoding.horizon(),
                        String.join(", ", encoding.aheadColumns()),
                        String.join(", ", encoding.targets()));
                windows.all(0, encoding.lookBack() + encoding.horizon());
            }
            write(
                    encoding,
                    rows,
                    s -> extents.rows(s) - encoding.lookBack(),
                    s -> extents.rows(s) + (encoding.ahead().isEmpty() ? 0 : encoding.horizon()),
                    encoding.ahead().isEmpty() ? encoding.horizon() : 0);
            return ingested(rows, windows, false, List.of(told(rows, extents, encoding.cadence())));
        }
    }

    private SeriesRows stage(
            DuckDb db, SeriesSpec series, @Nullable SeriesEncoding given, List<Path> files) {
        List<Category> fitted = given == null ? null : given.ofCategories();
        return SeriesRows.stage(db, spec, series, fitted, format, files, place.progress());
    }

    /** From the rows before a time. */
    private List<Category> categories(SeriesRows rows, double before) throws IOException {
        if (!rows.categories().names().isEmpty()) {
            rows.scan(
                    chunk -> {
                        for (int row = 0; row < chunk.rows; row++) {
                            if (chunk.numbers[0][row] < before) {
                                rows.categories().count(chunk.codes, 1, row);
                            }
                        }
                    });
        }
        return rows.categories().fit(spec.table().terms());
    }

    private static List<String> told(String sentence, SeriesRows rows, SeriesEncoding encoding) {
        List<String> all = new ArrayList<>(List.of(sentence));
        all.addAll(rows.sentences());
        all.addAll(rows.categories().sentences(encoding.ofCategories()));
        return all;
    }

    /** The columns of a trained model. */
    static SeriesSpec like(SeriesEncoding encoding) {
        return new SeriesSpec(
                encoding.time(),
                encoding.by(),
                encoding.targets(),
                encoding.aheadColumns(),
                encoding.lookBack(),
                encoding.horizon(),
                SeriesSpec.Scaling.NONE,
                "0",
                "0",
                null);
    }

    private static @Nullable Double until(SeriesSpec series, Cadence.Unit unit) {
        return series.until() == null
                ? null
                : Borders.time("data.series.until", series.until(), unit);
    }

    private static long before(Extents extents, int series, Borders borders, Cadence cadence) {
        return extents.before(series, borders.test(), cadence);
    }

    private static long sum(SeriesRows rows, IntToLongFunction each) {
        long sum = 0;
        for (int s = 0; s < rows.names().size(); s++) {
            sum += each.applyAsLong(s);
        }
        return sum;
    }

    private static String told(SeriesRows rows, Extents extents, Cadence cadence) {
        int series = rows.names().size();
        return String.format(
                Locale.ROOT,
                "%,d series of %,d rows, %s apart, of %d column%s",
                series,
                extents.all(),
                cadence.words(),
                rows.targets().size(),
                rows.targets().size() == 1 ? "" : "s");
    }

    /** Places of the windows of both splits; rows of series lie one behind the other. */
    private static final class Windows {
        private final SeriesEncoding encoding;
        private final WindowFile train;
        private final WindowFile validation;
        private long base;

        Windows(SeriesEncoding encoding) {
            this.encoding = encoding;
            int windowRows = encoding.lookBack() + encoding.horizon();
            int rowBytes = encoding.columns() * Float.BYTES;
            train = new WindowFile(windowRows, rowBytes);
            validation = new WindowFile(windowRows, rowBytes);
        }

        /** Those of a series of {@code end} rows, the first {@code border} of them to train on. */
        void split(SeriesRows rows, int series, long border, long end) {
            long first = border - encoding.lookBack() - encoding.horizon() + 1;
            check(
                    first >= 1,
                    "%s: %s has %d rows to train on, fewer than one window of"
                            + " data.series.look_back=%d and data.series.horizon=%d: make windows"
                            + " shorter, or leave the series out",
                    rows.file(),
                    rows.nameOf(series),
                    border,
                    encoding.lookBack(),
                    encoding.horizon());
            train.add(base, first);
            validation.add(
                    base + border - encoding.lookBack(), end - border - encoding.horizon() + 1);
            base += end;
        }

        /** All from row {@code first} of a series of {@code end} rows on, to validate. */
        void all(long first, long end) {
            validation.add(
                    base + first, end - first - encoding.lookBack() - encoding.horizon() + 1);
            base += end;
        }
    }

    /**
     * Writes some rows of each series, and as many empty ones after them; a target that is asked
     * for is 0.
     */
    private void write(
            SeriesEncoding encoding,
            SeriesRows rows,
            IntToLongFunction from,
            IntToLongFunction to,
            int empty)
            throws IOException {
        List<@Nullable List<Scaling>> scales = SeriesScales.of(encoding.scales(), rows.names());
        int columns = encoding.columns();
        int numbers = rows.columns().size();
        float[] values = new float[columns];
        OneHot oneHot = rows.categories().oneHot(encoding.ofCategories());
        long[] at = new long[rows.names().size()];
        try (ShardWriter out = new ShardWriter(place.file(WindowFile.NAME), place.budget())) {
            rows.scan(
                    chunk -> {
                        for (int row = 0; row < chunk.rows; row++) {
                            int s = chunk.codes[0][row];
                            long here = at[s]++;
                            if (here < from.applyAsLong(s) || here >= to.applyAsLong(s)) {
                                continue;
                            }
                            List<Scaling> scale = scale(rows, scales, s);
                            ByteBuffer room = out.room(columns * Float.BYTES);
                            for (int c = 0; c < numbers; c++) {
                                double value = chunk.numbers[c + 1][row];
                                boolean isAsked = Double.isNaN(value);
                                values[c] = isAsked ? 0 : (float) scale.get(c).of(value);
                            }
                            oneHot.put(chunk.codes, 1, row, values, numbers);
                            for (float value : values) {
                                room.putFloat(value);
                            }
                            if (here + 1 == to.applyAsLong(s)) {
                                for (int i = 0; i < empty * columns; i++) {
                                    out.room(Float.BYTES).putFloat(0);
                                }
                            }
                        }
                    });
        }
    }

    private static List<Scaling> scale(
            SeriesRows rows, List<@Nullable List<Scaling>> scales, int series) {
        List<Scaling> scale = scales.get(series);
        if (scale == null) {
            throw new dev.medley.base.ConfigException(
                    ("%s: %s was not in training, and the model scales each series by its own"
                                    + " training part: leave it out, or train with"
                                    + " data.series.scaling: column")
                            .formatted(rows.file(), rows.nameOf(series)));
        }
        return scale;
    }

    private static Ingested ingested(
            SeriesRows rows, Windows windows, boolean hasTargets, List<String> sentences) {
        return new Ingested(
                windows.encoding,
                windows.train.file(),
                windows.validation.file(),
                SeriesTable.findings(List.of(rows.policy()), hasTargets, List.of(), sentences));
    }
}
