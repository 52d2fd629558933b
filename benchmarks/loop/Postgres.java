import dev.medley.base.time.Clock;
import dev.medley.connect.postgres.PostgresOptions;
import dev.medley.connect.postgres.PostgresSource;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableView;
import java.lang.management.ManagementFactory;

/**
 * Reads a table of float8 columns from PostgreSQL into batches of standardized floats, in one
 * thread. Values of a row lie beside each other, as training takes them. One JSON line: rows,
 * seconds from the connection to the last batch, CPU seconds of the process in that time, and the
 * sum of all values.
 *
 * <p>Usage: java -cp CLASSPATH benchmarks/loop/Postgres.java postgresql://HOST:PORT/DATABASE USER
 * TABLE [times]
 */
class Postgres {
    private static final Clock CLOCK = Clock.system();
    private static long rows;
    private static double sum;

    public static void main(String[] args) throws Exception {
        int times = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        for (int time = 0; time < times; time++) {
            rows = 0;
            sum = 0;
            long cpuBefore = cpuNs();
            long before = CLOCK.nowNs();
            read(args[0], args[1], args[2]);
            double seconds = (CLOCK.nowNs() - before) / 1e9;
            double cpu = (cpuNs() - cpuBefore) / 1e9;
            System.out.printf(
                    "{\"rows\": %d, \"seconds\": %.3f, \"cpu\": %.3f, \"sum\": %.3f, \"time\": %d}%n",
                    rows, seconds, cpu, sum, time);
        }
    }

    private static void read(String url, String user, String table) throws Exception {
        PostgresSource source =
                new PostgresSource(PostgresOptions.of(url, user, null, table), name -> null);
        float[][] batch = {{}};
        try (TableView view = source.open(SyncStart.FIRST)) {
            view.rows(Changes.Rows.ALL, part -> batch[0] = encoded(part, batch[0]));
        }
    }

    /** The mean of the table's values is 0.5, their deviation that of even ones. */
    private static float[] encoded(RowBatch part, float[] before) {
        int width = part.columns().size();
        int count = part.rows();
        float[] out = before.length == count * width ? before : new float[count * width];
        double scale = Math.sqrt(12);
        double[] total = new double[width];
        for (int c = 0; c < width; c++) {
            var column = part.column(c);
            for (int row = 0; row < count; row++) {
                double value = column.isMissing(row) ? 0.5 : column.doubleAt(row);
                total[c] += value;
                out[row * width + c] = (float) ((value - 0.5) * scale);
            }
            sum += total[c];
        }
        rows += count;
        return out;
    }

    private static long cpuNs() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
