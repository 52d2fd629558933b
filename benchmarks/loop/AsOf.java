import dev.medley.base.time.Clock;
import dev.medley.loop.feature.AsOfJoin;
import dev.medley.loop.feature.FeatureTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures the join of features as of a time: 17,000 rows by 1,000 features, which took a public
 * report on Feast 30 minutes and 50 GB (feast#3003). One JSON line: seconds of the join from a
 * Parquet file, and the most memory that the process ever had.
 *
 * <p>Usage: java -cp 'cli/target/medley/lib/*' benchmarks/loop/AsOf.java [rows] [features]
 * [versions of each key]
 */
class AsOf {
    public static void main(String[] args) throws Exception {
        int rows = args.length > 0 ? Integer.parseInt(args[0]) : 17_000;
        int features = args.length > 1 ? Integer.parseInt(args[1]) : 1_000;
        int versions = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        String given = System.getProperty("child");
        if (given != null) {
            measure(Path.of(given), rows, features);
            return;
        }
        Path file = Files.createTempFile("features", ".parquet");
        String columns =
                IntStream.range(0, features)
                        .mapToObj(i -> "random()::FLOAT AS f" + i)
                        .collect(Collectors.joining(", "));
        try (Connection made = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = made.createStatement()) {
            sql.execute(
                    ("COPY (SELECT k, TIMESTAMP '2026-01-01' + INTERVAL (v * 10) DAY AS happened,"
                                    + " TIMESTAMP '2026-01-02'"
                                    + " + INTERVAL (v * 10 + (k %% 5)) DAY AS _known_at, %s"
                                    + " FROM range(%d) t(k), range(%d) u(v))"
                                    + " TO '%s' (FORMAT parquet)")
                            .formatted(columns, rows, versions, file));
        }
        // In a process of its own, so that making the file is not counted.
        List<String> command =
                    List.of(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-Dchild=" + file,
                            "-cp",
                            System.getProperty("java.class.path"),
                            "benchmarks/loop/AsOf.java",
                            "" + rows,
                            "" + features);
        new ProcessBuilder(command).inheritIO().start().waitFor();
        Files.delete(file);
    }

    private static void measure(Path file, int rows, int features) throws Exception {
        long bytes = Files.size(file);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
            try (Statement sql = connection.createStatement()) {
                sql.execute("SET memory_limit = '1GB'");
                sql.execute("SET TimeZone = 'UTC'");
                sql.execute(
                        ("CREATE TABLE l AS SELECT k,"
                                        + " TIMESTAMP '2026-01-09' + INTERVAL (k %% 20) DAY AS t"
                                        + " FROM range(%d) r(k)")
                                .formatted(rows));
            }
            long began = Clock.system().nowNs();
            new AsOfJoin(connection, "l", "t")
                    .join(
                            List.of(
                                    new FeatureTable(
                                            "wide",
                                            1,
                                            "SELECT * FROM read_parquet('" + file + "')",
                                            List.of("k"),
                                            "happened",
                                            FeatureTable.KNOWN,
                                            null)),
                            "joined");
            double seconds = (Clock.system().nowNs() - began) / 1e9;
            String peak =
                    Files.readAllLines(Path.of("/proc/self/status")).stream()
                            .filter(line -> line.startsWith("VmHWM"))
                            .findFirst()
                            .orElse("")
                            .replaceAll("\\D", "");
            System.out.printf(
                    "{\"rows\": %d, \"features\": %d, \"file_bytes\": %d, \"seconds\": %.3f,"
                            + " \"peak_kb\": %s}%n",
                    rows, features, bytes, seconds, peak);
        }
    }
}
