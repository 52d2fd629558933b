package dev.medley.spark.rows;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.spark.cluster.HeldData;
import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the series of a DataFrame on the driver, as those of a file: in the order of series and
 * time. Executors are sent what it has prepared.
 *
 * <p>Thread: the caller's.
 */
public final class FrameSeries implements PreparedRows {
    private final Path folder;
    private final PreparedData data;

    private FrameSeries(Path folder, PreparedData data) {
        this.folder = folder;
        this.data = data;
    }

    /**
     * Collects and prepares; one pass over the DataFrame, or two with a column that marks sequences
     * to judge by.
     *
     * @throws ConfigException if columns or rows cannot be used
     */
    public static FrameSeries of(
            Dataset<?> frame, FrameColumns.Wanted wanted, DataSpec asked, long seed) {
        SeriesSpec series = Objects.requireNonNull(asked.series());
        String held = wanted.validation();
        check(
                held == null || asked.label() != null,
                "validationIndicatorCol=%s: windows are split by their time: say where in"
                        + " data.series.validation",
                held);
        Set<String> columns = new LinkedHashSet<>(List.of(series.time()));
        columns.addAll(series.by());
        columns.addAll(series.targets().isEmpty() ? wanted.inputs() : series.targets());
        columns.addAll(series.known());
        if (asked.label() != null) {
            columns.add(asked.label());
        }
        List<String> names = List.copyOf(columns);
        try {
            Path folder = Files.createTempDirectory("medley-series-");
            boolean isPrepared = false;
            try {
                Path train = folder.resolve("DataFrame.csv");
                Path validation = folder.resolve("DataFrame-validation.csv");
                write(marked(frame, held, false), names, train);
                if (held != null) {
                    write(marked(frame, held, true), names, validation);
                }
                DataSpec spec =
                        FrameFile.spec(
                                asked,
                                FrameFile.select(frame, names).schema(),
                                List.of(train),
                                held == null ? List.of() : List.of(validation));
                PreparedData made =
                        Datasets.prepare(
                                spec, seed, folder.resolve("cache"), PreparationProgress.NONE);
                Files.delete(train);
                isPrepared = true;
                return new FrameSeries(
                        folder,
                        new PreparedData(
                                PreparedData.VERSION,
                                made.folder(),
                                asked,
                                DataFormat.CSV,
                                seed,
                                made.dataHash(),
                                made.content()));
            } catch (ConfigException e) {
                // Of the file that the rows were put into nobody knows.
                throw new ConfigException(
                        String.valueOf(e.getMessage())
                                .replaceAll(
                                        Pattern.quote(folder.toString()) + "[^:,; ]*",
                                        "the DataFrame"),
                        e);
            } finally {
                if (!isPrepared) {
                    AtomicFolder.delete(folder);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Dataset<?> marked(Dataset<?> frame, @Nullable String by, boolean isHeld) {
        if (by == null) {
            return frame;
        }
        Column mark = functions.coalesce(FrameColumns.quoted(by), functions.lit(false));
        return frame.where(isHeld ? mark : functions.not(mark));
    }

    private static void write(Dataset<?> frame, List<String> columns, Path file)
            throws IOException {
        Dataset<Row> read = FrameFile.select(frame, columns);
        FrameFile.write(columns, read.toLocalIterator(), file);
    }

    @Override
    public PreparedData prepared() {
        return data;
    }

    @Override
    public @Nullable HeldData rows() {
        return null;
    }

    @Override
    public long missing() {
        return 0;
    }

    @Override
    public void close() {
        try {
            AtomicFolder.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
