package dev.medley.spark.rows;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.token.Tokens;
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
 * Prepares on the driver, as files, what learns from rows in their order: series, and texts of a
 * language. Executors are sent what it has prepared.
 *
 * <p>Thread: the caller's.
 */
public final class DriverRows implements PreparedRows {
    private final Path folder;
    private final PreparedData data;

    private DriverRows(Path folder, PreparedData data) {
        this.folder = folder;
        this.data = data;
    }

    /**
     * Collects and prepares series; one pass over the DataFrame, or two with a column that marks
     * sequences to judge by.
     *
     * @throws ConfigException if columns or rows cannot be used
     */
    public static DriverRows ofSeries(
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
        return prepared(
                asked,
                seed,
                DataFormat.CSV,
                null,
                folder -> {
                    Path train = folder.resolve("DataFrame.csv");
                    Path validation = folder.resolve("DataFrame-validation.csv");
                    write(marked(frame, held, false), names, train);
                    if (held != null) {
                        write(marked(frame, held, true), names, validation);
                    }
                    return FrameFile.spec(
                            asked,
                            FrameFile.select(frame, names).schema(),
                            List.of(train),
                            held == null ? List.of() : List.of(validation));
                });
    }

    /**
     * Collects and prepares the texts of a column, each of which ends with a line: one pass over
     * the DataFrame, or two with a column that marks texts to judge by.
     *
     * @param given tokens of a pretrained model; null to find them
     * @throws ConfigException if nothing can be learnt from them
     */
    public static DriverRows ofTexts(
            Dataset<?> frame,
            FrameColumns.Wanted wanted,
            DataSpec asked,
            @Nullable Tokens given,
            long seed) {
        String held = wanted.validation();
        String column = wanted.inputs().get(0);
        return prepared(
                asked,
                seed,
                DataFormat.TEXT,
                given == null ? null : TextEncoding.of(given, asked.text().context()),
                folder -> {
                    Path train = folder.resolve("DataFrame.txt");
                    Path validation = folder.resolve("DataFrame-validation.txt");
                    FrameFile.writeTexts(marked(frame, held, false), column, train);
                    if (held != null) {
                        FrameFile.writeTexts(marked(frame, held, true), column, validation);
                    }
                    return FrameFile.textSpec(
                            asked, train, held == null ? List.of() : List.of(validation));
                });
    }

    /** Writes the rows into a folder, and says what a job asks of them. */
    @FunctionalInterface
    private interface RowFiles {
        DataSpec in(Path folder) throws IOException;
    }

    private static DriverRows prepared(
            DataSpec asked, long seed, DataFormat format, @Nullable Encoding as, RowFiles files) {
        try {
            Path folder = Files.createTempDirectory("medley-rows-");
            boolean isPrepared = false;
            try {
                DataSpec spec = files.in(folder);
                Path cache = folder.resolve("cache");
                PreparedData made =
                        as == null
                                ? Datasets.prepare(spec, seed, cache, PreparationProgress.NONE)
                                : Datasets.prepareAs(
                                        as, spec, seed, cache, PreparationProgress.NONE);
                for (String file : spec.train()) {
                    Files.delete(Path.of(file));
                }
                isPrepared = true;
                return new DriverRows(
                        folder,
                        new PreparedData(
                                PreparedData.VERSION,
                                made.folder(),
                                asked,
                                format,
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
