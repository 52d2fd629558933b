package dev.medley.benchmarks.ingest;

import dev.medley.base.Json;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;

/**
 * Measures how fast tables are read, in one process and after one round that does not count. The
 * figures:
 *
 * <ul>
 *   <li>{@code medley-prepare}: file to encoded shards, hashing the file included
 *   <li>{@code medley-epoch}: all rows of the prepared set as batches of 1,024, in mixed order
 *   <li>{@code medley}: both
 *   <li>{@code duckdb}: DuckDB's own reader, every value fetched to Java, nothing encoded
 * </ul>
 *
 * Prints a JSON line each. Arguments: folder, rows, rounds; makes the table if it is not there (14
 * numbers, 5 categories of 10 to 50 values, a class).
 */
public final class IngestBenchmark {
    private static final int BATCH = 1_024;
    private static final int NUMBERS = 14;
    private static final int CATEGORIES = 5;

    private final Path folder;
    private final long rows;
    private final Clock clock = Clock.system();

    private IngestBenchmark(Path folder, long rows) {
        this.folder = folder;
        this.rows = rows;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws IOException, SQLException {
        long rows = Long.parseLong(arguments[1]);
        IngestBenchmark benchmark = new IngestBenchmark(Path.of(arguments[0]), rows);
        benchmark.makeTable();
        for (int round = 0; round <= Integer.parseInt(arguments[2]); round++) {
            for (String extension : List.of("csv", "parquet")) {
                benchmark.round(benchmark.file(extension), extension, round);
            }
        }
    }

    private Path file(String extension) {
        return folder.resolve("rows-" + rows + "." + extension);
    }

    private void makeTable() throws IOException, SQLException {
        Files.createDirectories(folder);
        if (Files.exists(file("parquet"))) {
            return;
        }
        StringBuilder columns = new StringBuilder();
        for (int i = 0; i < NUMBERS; i++) {
            columns.append("round(random() * 1000, 4) AS n").append(i).append(", ");
        }
        for (int i = 0; i < CATEGORIES; i++) {
            columns.append(
                    "'value-' || CAST(floor(random() * %d) AS INTEGER) AS c%d, "
                            .formatted(10 * (i + 1), i));
        }
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = db.createStatement()) {
            sql.execute("SELECT setseed(0.5)");
            sql.execute(
                    ("CREATE TABLE t AS SELECT %s CASE WHEN random() < 0.3 THEN 'yes' ELSE 'no' END"
                                    + " AS label FROM range(%d)")
                            .formatted(columns, rows));
            sql.execute("COPY t TO '%s' (HEADER)".formatted(file("csv")));
            sql.execute("COPY t TO '%s'".formatted(file("parquet")));
        }
    }

    private void round(Path file, String format, int round) throws IOException, SQLException {
        Path cache = folder.resolve("cache");
        Moment start = now();
        PreparedData data = Datasets.prepare(spec(file), 1, cache, PreparationProgress.NONE);
        Moment prepared = now();
        double sum = epoch(data);
        Moment read = now();
        double duck = duckDb(file);
        Moment end = now();
        delete(cache);
        if (round > 0) {
            report("medley-prepare", format, start, prepared, 0);
            report("medley-epoch", format, prepared, read, sum);
            report("medley", format, start, read, sum);
            report("duckdb", format, read, end, duck);
        }
    }

    /** Time on the clock, and of the processors for this process. */
    private record Moment(long ns, long cpuNs) {}

    private Moment now() {
        Duration used = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return new Moment(clock.nowNs(), used.toNanos());
    }

    private void report(String what, String format, Moment from, Moment to, double check) {
        double seconds = (to.ns - from.ns) / 1e9;
        double cpuSeconds = (to.cpuNs - from.cpuNs) / 1e9;
        System.out.println(
                Json.line(
                        Map.of(
                                "what", what,
                                "format", format,
                                "rows", rows,
                                "seconds", Math.round(seconds * 1000) / 1000.0,
                                "cpu_s", Math.round(cpuSeconds * 100) / 100.0,
                                "rows_per_s", Math.round(rows / seconds),
                                "check", check)));
    }

    private double epoch(PreparedData data) {
        long samples = data.trainSamples();
        double sum = 0;
        try (TrainingData training = TrainingData.open(data, 1, clock);
                BatchStream stream =
                        training.train(
                                step -> {
                                    long from = Math.min(samples, (step - 1) * BATCH);
                                    return new SampleRange(
                                            0, from, Math.min(samples, from + BATCH));
                                },
                                1,
                                2)) {
            for (long done = 0; done < samples; ) {
                var batch = stream.next();
                sum += batch.inputs().get(0).data().buffer().asFloatBuffer().get(0);
                done += batch.samples();
            }
        }
        return sum;
    }

    /** Every value of the file, by vector, as one thread of Java can take them. */
    private double duckDb(Path file) throws SQLException {
        Properties options = new Properties();
        options.setProperty("jdbc_stream_results", "true");
        double sum = 0;
        try (DuckDBConnection db =
                        (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", options);
                DuckDBPreparedStatement statement = db.prepare("SELECT * FROM '" + file + "'");
                DuckDBChunkedResult result = statement.query()) {
            while (result.nextChunk()) {
                DuckDBDataChunkReader chunk = result.chunk();
                for (int column = 0; column < NUMBERS; column++) {
                    DuckDBReadableVector vector = chunk.vector(column);
                    for (int row = 0; row < chunk.rowCount(); row++) {
                        sum += vector.getDouble(row);
                    }
                }
                for (int column = NUMBERS; column < NUMBERS + CATEGORIES; column++) {
                    DuckDBReadableVector vector = chunk.vector(column);
                    for (int row = 0; row < chunk.rowCount(); row++) {
                        sum += vector.getString(row).length();
                    }
                }
            }
        }
        return sum;
    }

    private static DataSpec spec(Path file) {
        return new DataSpec(
                DataFormat.AUTO,
                List.of(file.toString()),
                List.of(),
                "label",
                new SplitSpec(SplitKind.RANDOM, 0.01, null),
                TableSpec.defaults(),
                ImageSpec.defaults(),
                TextSpec.defaults(),
                CacheSpec.defaults(),
                2,
                null);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
