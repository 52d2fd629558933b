import dev.medley.loop.monitor.CategoryMonitor;
import dev.medley.loop.monitor.CategoryReference;
import dev.medley.loop.monitor.MonitorOptions;
import dev.medley.loop.monitor.NumberMonitor;
import dev.medley.loop.monitor.NumberReference;
import dev.medley.loop.monitor.Promise;
import dev.medley.loop.monitor.Standing;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Watches streams that drift.py wrote and prints a line for each: the window of the alarm, from 1, or
 * 0, and why. Arguments: file, number or category, rows of a reference, looks, rows of a look,
 * promise, level.
 */
public final class Monitored {
    private Monitored() {}

    /** Prints to standard output. */
    public static void main(String[] arguments) throws IOException {
        boolean isNumber = arguments[1].equals("number");
        int reference = Integer.parseInt(arguments[2]);
        int looks = Integer.parseInt(arguments[3]);
        int rows = Integer.parseInt(arguments[4]);
        MonitorOptions options =
                new MonitorOptions(
                        Promise.valueOf(arguments[5]), Double.parseDouble(arguments[6]), 0);
        ByteBuffer all =
                ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments[0])))
                        .order(ByteOrder.LITTLE_ENDIAN);
        PrintStream out = System.out;
        for (int stream = 0; all.hasRemaining(); stream++) {
            double[] before = next(all, reference);
            MonitorOptions own = options.seeded(stream);
            NumberMonitor numbers =
                    isNumber
                            ? new NumberMonitor(NumberReference.of(before, stream), own)
                            : null;
            CategoryMonitor categories =
                    isNumber
                            ? null
                            : new CategoryMonitor(CategoryReference.of(labels(before)), own);
            Standing standing = null;
            for (int look = 0; look < looks; look++) {
                double[] window = next(all, rows);
                if (standing == null || !standing.isAlarm()) {
                    standing =
                            isNumber ? numbers.add(window) : categories.add(labels(window));
                }
            }
            out.println(standing.alarmedAt() + "\t" + standing.why());
        }
    }

    private static double[] next(ByteBuffer all, int count) {
        double[] values = new double[count];
        Arrays.setAll(values, i -> all.getDouble());
        return values;
    }

    private static List<String> labels(double[] codes) {
        List<String> labels = new ArrayList<>();
        for (double code : codes) {
            labels.add(Double.isNaN(code) ? null : "category " + (int) code);
        }
        return labels;
    }
}
