import dev.medley.loop.damage.ClassifierQuality;
import dev.medley.loop.damage.ScoreCalibration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Prints what is expected of each window of scores and what its outcomes say. Argument: a file of
 * lines of scores and lines of outcomes in turn; the first two are the validation rows.
 */
public final class Estimated {
    private Estimated() {}

    /** Prints expected accuracy, AUC and log-loss, then the true ones; a line a window. */
    public static void main(String[] arguments) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(arguments[0]));
        ScoreCalibration calibration =
                ScoreCalibration.of(numbers(lines.get(0)), numbers(lines.get(1)));
        for (int i = 2; i < lines.size(); i += 2) {
            double[] scores = numbers(lines.get(i));
            ClassifierQuality expected = ClassifierQuality.expected(scores, calibration, 0.5);
            ClassifierQuality known =
                    ClassifierQuality.known(scores, numbers(lines.get(i + 1)), 0.5);
            System.out.printf(
                    Locale.ROOT,
                    "%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f%n",
                    expected.accuracy(),
                    expected.auc(),
                    expected.logLoss(),
                    known.accuracy(),
                    known.auc(),
                    known.logLoss());
        }
    }

    private static double[] numbers(String line) {
        return java.util.Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }
}
