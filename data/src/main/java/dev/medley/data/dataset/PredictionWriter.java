package dev.medley.data.dataset;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.PredictionTable;
import dev.medley.store.file.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes predictions for new data into a file with the input's columns and theirs: CSV, Parquet or
 * JSON lines by extension. In place of columns, images have their file, and IDX images and a user's
 * own samples have their number; forecasts have their series and time. The file appears, or
 * replaces an older one, when it is whole.
 *
 * <p>Thread: one.
 */
public final class PredictionWriter implements AutoCloseable {
    /** What a prediction column holds. */
    public enum ColumnType {
        /** {@link Double} */
        NUMBER,
        /** {@link String} */
        TEXT
    }

    private final Path out;
    private final PredictionTable table;
    private final @Nullable PredictionRows rows;
    private int samples;

    private PredictionWriter(Path out, PredictionTable table, @Nullable PredictionRows rows) {
        this.out = out;
        this.table = table;
        this.rows = rows;
    }

    /** Complains about a file whose ending is none that can be written, before work is done. */
    public static void requireFormat(Path out) {
        PredictionTable.options(out);
    }

    /**
     * A writer of one prediction for every validation sample of {@code data}.
     *
     * @param data as {@link Datasets#encode} gave it
     * @param columns of a prediction, in order
     * @throws ConfigException if the extension is unknown, the place cannot be written or holds the
     *     input, or rows of the input were left out, so that rows and predictions would not match
     */
    public static PredictionWriter open(
            PreparedData data, Map<String, ColumnType> columns, Path out) {
        check(
                data.findings().badRows() == 0,
                "%,d samples cannot be read and have no prediction: correct them, since predictions"
                        + " are written beside their rows",
                data.findings().badRows());
        check(
                data.format() != DataFormat.TEXT,
                "predictions for text are generated: use generate with a prompt");
        check(
                data.format() == DataFormat.CUSTOM || !Inputs.findAll(data.spec()).isOf(out),
                "%s: is itself among the data to predict and would be lost; name another file",
                out);
        Map<String, Boolean> isNumber = new LinkedHashMap<>();
        columns.forEach((name, type) -> isNumber.put(name, type == ColumnType.NUMBER));
        try {
            if (PredictionRows.areOf(data.encoding())) {
                PredictionRows rows = rows(data, out);
                return new PredictionWriter(
                        out,
                        PredictionTable.ofRows(rows.header(), rows.texts(), isNumber, out),
                        rows);
            }
            return new PredictionWriter(out, table(data, isNumber, out), null);
        } catch (IOException e) {
            throw unwritable(out, e);
        }
    }

    private static PredictionRows rows(PreparedData data, Path out) throws IOException {
        try (ScratchFolder scratch = ScratchFolder.beside(out)) {
            return PredictionRows.of(data, scratch.path());
        }
    }

    private static PredictionTable table(PreparedData data, Map<String, Boolean> columns, Path out)
            throws IOException {
        return switch (data.format()) {
            case CSV, PARQUET, JSONL, LIBSVM ->
                    PredictionTable.ofFiles(
                            Inputs.findAll(data.spec()).all(),
                            data.format(),
                            data.spec().table(),
                            data.encoding() instanceof LabelledTextEncoding texts
                                    ? texts.columns()
                                    : (TableEncoding) data.encoding(),
                            columns,
                            out);
            case IMAGES ->
                    PredictionTable.ofNames(
                            Inputs.findAll(data.spec()).all().stream().map(Path::toString).toList(),
                            columns,
                            out);
            default -> PredictionTable.ofNames(numbers(data), columns, out);
        };
    }

    private static List<String> numbers(PreparedData data) {
        return LongStream.range(0, data.validationSamples()).mapToObj(Long::toString).toList();
    }

    /**
     * The prediction of the next sample: a Double or a String for every column. Of a series it is
     * the numbers of all rows to come, as the model gives them.
     */
    public void add(Object... values) {
        if (rows == null) {
            table.add(values);
        } else {
            rows.numbers(samples, values).forEach(table::add);
        }
        samples++;
    }

    /** Writes the file; every sample must have its prediction. */
    public void finish() {
        try {
            table.finish();
        } catch (IOException e) {
            throw unwritable(out, e);
        }
    }

    /** Gives up what was not finished. */
    @Override
    public void close() {
        try {
            table.close();
        } catch (IOException e) {
            throw unwritable(out, e);
        }
    }

    private static ConfigException unwritable(Path out, IOException e) {
        return new ConfigException(
                "%s: predictions cannot be written: %s; name another place or free some room"
                        .formatted(out, e.getMessage()),
                e);
    }
}
