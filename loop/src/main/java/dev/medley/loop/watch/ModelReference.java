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
 * @param answers on the rows that judged it; null where there were none: those on rows that it
 *     learnt from are not like others
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
     * @param calibration of its scores of two classes; null where it is not known
     * @param losses by column
     */
    public record Judged(
            MeasuredFigure figure,
            @Nullable ScoreCalibration calibration,
            List<ColumnLosses> losses) {
        public Judged {
            losses = List.copyOf(losses);
        }

        /** The same of another model, whose scores mean something else. */
        public Judged withoutCalibration() {
            return new Judged(figure, null, losses);
        }
    }
}
