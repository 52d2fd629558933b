package dev.medley.loop.watch;

import dev.medley.loop.damage.ScoreCalibration;
import dev.medley.loop.decide.MeasuredFigure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a version of a model is compared with: the rows that it learnt from, and its answers
 * and losses on the newest rows, which judged it. Its size does not grow with the rows.
 *
 * @param version in the registry
 * @param rows how many it learnt from
 * @param columns of the rows that it learnt from
 * @param answers on the rows that judged it, or that it learnt from where there were none; null
 *     where it does not give one answer a row
 * @param judged what it reached on the rows that judged it; null where there were none
 */
public record ModelReference(
        int version,
        long rows,
        List<KeptColumn> columns,
        @Nullable KeptColumn answers,
        @Nullable Judged judged) {
    public ModelReference {
        columns = List.copyOf(columns);
    }

    /**
     * Tells what a model reached on the rows that judged it.
     *
     * @param figure of the metric
     * @param calibration of scores of two classes; null for numbers
     * @param losses by column
     */
    public record Judged(
            MeasuredFigure figure,
            @Nullable ScoreCalibration calibration,
            List<ColumnLosses> losses) {
        public Judged {
            losses = List.copyOf(losses);
        }
    }
}
