package dev.medley.data.table.series;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells what forecasts are for: which series, and which times after its last row. */
public final class SeriesEnds {
    private final SeriesEncoding encoding;
    private final List<List<String>> names;
    private final double[] last;
    private final List<@Nullable List<Scaling>> scales;

    private SeriesEnds(SeriesEncoding encoding, List<List<String>> names, double[] last) {
        this.encoding = encoding;
        this.names = names;
        this.last = last;
        this.scales = SeriesScales.of(encoding.scales(), names);
    }

    /** The ends of the series of files; what does not fit memory goes below {@code scratch}. */
    public static SeriesEnds of(
            SeriesEncoding encoding,
            DataSpec spec,
            DataFormat format,
            List<Path> files,
            Path scratch)
            throws IOException {
        try (DuckDb db = DuckDb.forFiles(files, scratch)) {
            SeriesRows rows =
                    SeriesRows.stage(
                            db,
                            spec,
                            SeriesIngest.like(encoding),
                            encoding.ofCategories(),
                            format,
                            files,
                            PreparationProgress.NONE);
            Extents extents = Extents.of(rows, encoding.cadence());
            double[] last = new double[rows.names().size()];
            for (int s = 0; s < last.length; s++) {
                last[s] = extents.last(s);
            }
            return new SeriesEnds(encoding, rows.names(), last);
        }
    }

    /** Names of the columns that say what a forecast is for. */
    public List<String> columns() {
        List<String> columns = new ArrayList<>(encoding.by());
        columns.add(encoding.time());
        return columns;
    }

    /** Their values: for each series in order, a row for each time that is forecast. */
    public List<List<String>> rows() {
        Cadence cadence = encoding.cadence();
        List<List<String>> rows = new ArrayList<>();
        for (int s = 0; s < names.size(); s++) {
            for (int step = 1; step <= encoding.horizon(); step++) {
                List<String> row = new ArrayList<>(names.get(s));
                row.add(cadence.text(cadence.after(last[s], step)));
                rows.add(row);
            }
        }
        return rows;
    }

    /** The numbers of a series as its columns have them, a row for each time, from those scaled. */
    public List<Object[]> numbers(int series, Object[] scaled) {
        List<Scaling> scale = scales.get(series);
        if (scale == null) {
            throw new IllegalStateException("a forecast for " + names.get(series));
        }
        int channels = encoding.channels();
        List<Object[]> rows = new ArrayList<>();
        for (int step = 0; step < encoding.horizon(); step++) {
            Object[] row = new Object[channels];
            for (int c = 0; c < channels; c++) {
                double value = (Double) scaled[step * channels + c];
                row[c] = scale.get(c).centre() + value * scale.get(c).scale();
            }
            rows.add(row);
        }
        return rows;
    }
}
