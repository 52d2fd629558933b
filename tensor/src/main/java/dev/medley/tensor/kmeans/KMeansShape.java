package dev.medley.tensor.kmeans;

import dev.medley.base.ConfigException;
import dev.medley.base.model.KMeansSpec;

/**
 * The lengths of what a fit remembers and exchanges.
 *
 * @param k centres
 * @param features of a sample
 * @param restarts fits from other starts
 */
record KMeansShape(int k, int features, int restarts) {
    /** Doubles of candidates and centres that lie in one memory. */
    private static final long MOST_DOUBLES = 1L << 27;

    KMeansShape {
        long doubles = (1L + 2L * KMeansSpec.ROUNDS + restarts) * k * features;
        ConfigException.check(
                doubles <= MOST_DOUBLES,
                "model.k=%,d: with %,d features and %d restarts a fit remembers %,d numbers, more"
                        + " than %,d; ask for fewer clusters, or drop columns",
                k,
                features,
                restarts,
                doubles,
                MOST_DOUBLES);
    }

    /** Candidates that a round of a start draws: l = 2k (Bahmani et al. 2012, section 5.2). */
    int draws() {
        return 2 * k;
    }

    /** Candidates that a start has at most. */
    int mostCandidates() {
        return 1 + KMeansSpec.ROUNDS * draws();
    }

    /** Doubles of all centres. */
    int centres() {
        return Math.multiplyExact(k, features);
    }

    /** Doubles that a step sums: the most that any kind of step does. */
    int gathered() {
        int survey = 2 * features + restarts * features;
        int draw = Math.multiplyExact(draws(), features + 1);
        int move = centres() + k + 1;
        return Math.max(Math.max(survey, draw), Math.max(mostCandidates(), move));
    }
}
