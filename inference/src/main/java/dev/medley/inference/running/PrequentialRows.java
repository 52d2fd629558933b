package dev.medley.inference.running;

import dev.medley.base.job.Signature;
import java.util.List;

/**
 * Holds what was answered for rows before they were learnt, in their order.
 *
 * <p>Of two classes a label is 0 or 1 and an answer the probability of 1. Of several a label is
 * {@link #SEVERAL} more than the class's number, and an answer the probability of the row's own
 * class, 1 more where no other is more probable: so much is needed to judge it.
 *
 * @param labels of classes as above, or the number
 * @param running answers of the running model, before it learnt the row
 * @param champion answers of the model in production
 * @param refusedRows how many rows are of steps that were taken back
 * @param troubles why, one sentence for each such step
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record PrequentialRows(
        double[] labels,
        double[] running,
        double[] champion,
        long refusedRows,
        List<String> troubles) {
    /** What labels of several classes begin with; those of two classes are below. */
    public static final int SEVERAL = 2;

    public PrequentialRows {
        troubles = List.copyOf(troubles);
    }

    /** The label of a class, by its number among the target's. */
    public static double labelOf(Signature.Target target, int number) {
        return target.kind() == Signature.TargetKind.CLASSES ? SEVERAL + number : number;
    }

    /**
     * An answer of a row whose label is known.
     *
     * @param scores of each class, or the number
     */
    public static double answerOf(Signature.Target target, List<Double> scores, double label) {
        return switch (target.kind()) {
            case BINARY -> scores.get(1);
            case CLASSES -> {
                int own = (int) label - SEVERAL;
                double probability = scores.get(own);
                int best = 0;
                for (int i = 1; i < scores.size(); i++) {
                    best = scores.get(i) > scores.get(best) ? i : best;
                }
                yield best == own ? 1 + probability : probability;
            }
            default -> scores.get(0);
        };
    }

    /** How many rows there are. */
    public int rows() {
        return labels.length;
    }
}
