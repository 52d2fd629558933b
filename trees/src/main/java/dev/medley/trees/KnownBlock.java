package dev.medley.trees;

/**
 * Holds what the trees so far say of a block of samples, so that only new trees are walked through
 * where there is one output. (XGBoost's own cache holds 64 matrices, the training rows among them.)
 */
final class KnownBlock {
    private float[] margins = new float[0];
    private int rounds;

    /** What all trees add up to, for the values of the block, row by row. */
    float[] margins(Ensemble ensemble, float[] values, int rows) {
        if (rounds == 0 || rounds < ensemble.rounds()) {
            // XGBoost takes margins to go on from of one output alone.
            int from = ensemble.outputs() == 1 ? rounds : 0;
            margins = ensemble.margins(values, rows, from, from == 0 ? null : margins);
            rounds = ensemble.rounds();
        }
        return margins.clone();
    }
}
