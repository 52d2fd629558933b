package dev.medley.loop.watch;

import dev.medley.loop.damage.ClassifierQuality;
import dev.medley.loop.decide.JudgedMetric;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells which figure of the metric the newest rows let expect, before their labels come. It holds
 * as long as a score means the same chance as on the rows that judged the model.
 *
 * @param rows whose answers it is estimated from
 * @param was the figure on the rows that judged the model
 */
public record ExpectedFigure(long rows, double figure, double was) {
    private static final double HALF = 0.5;

    /** Of answers for newest rows; null where it cannot be told, as of numbers. */
    static @Nullable ExpectedFigure of(
            JudgedMetric metric, ModelReference.@Nullable Judged judged, @Nullable KeptColumn now) {
        if (judged == null
                || judged.calibration() == null
                || now == null
                || now.numbers() == null
                || now.present() == 0) {
            return null;
        }
        List<Double> sample = now.numbers().sample().values();
        double[] scores = sample.stream().mapToDouble(Double::doubleValue).toArray();
        ClassifierQuality quality = ClassifierQuality.expected(scores, judged.calibration(), HALF);
        double figure =
                switch (metric) {
                    case AUC -> quality.auc();
                    case ACCURACY -> quality.accuracy();
                    case LOG_LOSS -> quality.logLoss();
                    case RMSE, MAE -> Double.NaN;
                };
        return Double.isFinite(figure)
                ? new ExpectedFigure(now.rows(), figure, judged.figure().figure())
                : null;
    }
}
