package dev.medley.inference.metric;

import dev.medley.base.evaluation.Ndcg;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Gives what rankings are judged by: of each row the score, the grade and whether a group begins
 * there. Groups may go on from block to block, so they are put together from all of them.
 */
final class RankedRows implements BlockValues {
    /** All metrics of rankings share these. */
    static final RankedRows SOURCE = new RankedRows();

    private static final int OF_ROW = 3;

    private RankedRows() {}

    @Override
    public int valuesOf(int samples) {
        return OF_ROW * samples;
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        FloatBuffer scores = block.outputs().data().buffer().asFloatBuffer();
        FloatBuffer targets = block.target().data().buffer().asFloatBuffer();
        double[] values = new double[valuesOf(block.samples())];
        for (int row = 0; row < block.samples(); row++) {
            values[OF_ROW * row] = scores.get(row);
            values[OF_ROW * row + 1] = targets.get(2 * row);
            values[OF_ROW * row + 2] = targets.get(2 * row + 1);
        }
        return values;
    }

    /** The mean over groups of NDCG by the first {@code top} rows; 0 for all. */
    static double meanNdcg(List<double[]> blocks, int top) {
        float[] scores = new float[blocks.stream().mapToInt(b -> b.length / OF_ROW).sum()];
        float[] grades = new float[scores.length];
        int row = 0;
        int begin = 0;
        int groups = 0;
        double sum = 0;
        for (double[] block : blocks) {
            for (int at = 0; at < block.length; at += OF_ROW, row++) {
                if (block[at + 2] > 0 && row > 0) {
                    sum += ndcg(scores, grades, begin, row, top);
                    groups++;
                    begin = row;
                }
                scores[row] = (float) block[at];
                grades[row] = (float) block[at + 1];
            }
        }
        return (sum + ndcg(scores, grades, begin, row, top)) / (groups + 1);
    }

    private static double ndcg(float[] scores, float[] grades, int from, int to, int top) {
        return Ndcg.of(
                Arrays.copyOfRange(scores, from, to), Arrays.copyOfRange(grades, from, to), top);
    }
}
