package dev.medley.tensor.kmeans;

import dev.medley.base.Seeds;
import dev.medley.base.model.KMeansSpec;
import dev.medley.tensor.kmeans.KMeansState.Array;
import dev.medley.tensor.kmeans.KMeansState.Number;
import dev.medley.tensor.kmeans.KMeansState.Phase;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Says what follows from the sums of a step: a function of them, the state and the seed.
 *
 * <p>A centre to which no sample is nearest is given another: of as many samples as a round of a
 * start draws, by their squared distances to all other centres, the farthest.
 */
final class FitSteps {
    /** Of what is drawn among candidates. */
    private static final long STARTS = 0x706C7573706C7573L;

    private final KMeansState state;
    private final double[] sums;
    private final KMeansSpec spec;
    private final long seed;
    private final KMeansShape shape;
    private final int d;
    private double @Nullable [] shown;

    /** Changes {@code state}, which is a copy. */
    FitSteps(KMeansState state, double[] sums, KMeansSpec spec, long seed) {
        this.state = state;
        this.sums = sums;
        this.spec = spec;
        this.seed = seed;
        this.shape = state.shape();
        this.d = shape.features();
    }

    KMeansState state() {
        return state;
    }

    /** The best centres so far, if there are better ones than before. */
    double @Nullable [] shown() {
        return shown;
    }

    /**
     * Takes the step.
     *
     * @param samples of all workers
     * @param loss of all workers
     */
    void take(double samples, double loss) {
        switch (state.phase()) {
            case SURVEY -> survey(samples);
            case MEASURE -> measured(loss);
            case DRAW -> drawn();
            case WEIGH -> weighed();
            case MOVE -> moved();
            case JUDGE -> judged();
            case DONE -> {
                // Nothing follows.
            }
        }
    }

    /** Features are centred on numbers that any workers come to, though their sums may differ. */
    private void survey(double samples) {
        double[] shift = new double[d];
        double variances = 0;
        double squares = 0;
        double most = 0;
        for (int j = 0; j < d; j++) {
            double mean = sums[j] / samples;
            double variance = Math.max(0, sums[d + j] / samples - mean * mean);
            double step = Math.scalb(1.0, Math.getExponent(Math.sqrt(variance)) - 6);
            shift[j] = variance > 0 ? Math.rint(mean / step) * step : (float) mean;
            double left = variance + (mean - shift[j]) * (mean - shift[j]);
            variances += variance;
            squares += left;
            most = Math.max(most, left);
        }
        state.set(Array.SHIFT, shift);
        state.set(Number.SAMPLES, samples);
        state.set(Number.VARIANCE, variances / d);
        state.set(Number.BOUND, samples * Math.sqrt(most));
        state.set(Number.BOUND_OF_SQUARES, 4 * samples * squares);
        double[] firsts = new double[shape.restarts() * d];
        for (int i = 0; i < firsts.length; i++) {
            firsts[i] = (float) ((float) sums[2 * d + i] - shift[i % d]);
        }
        state.set(Array.FIRSTS, firsts);
        begin();
    }

    /** The next fit begins. */
    private void begin() {
        int restart = state.whole(Number.RESTART);
        double[] first =
                Arrays.copyOfRange(state.get(Array.FIRSTS), restart * d, (restart + 1) * d);
        state.set(Number.ROUND, 0);
        state.set(Number.ITERATION, 0);
        state.set(Number.MENDS, 0);
        state.set(Number.CANNOT_MEND, 0);
        candidates(first, 1);
        state.phase(Phase.MEASURE);
    }

    private void candidates(double[] some, int count) {
        double[] all = new double[shape.mostCandidates() * d];
        System.arraycopy(some, 0, all, 0, count * d);
        state.set(Array.CANDIDATES, all);
        state.set(Number.CANDIDATES, count);
        state.add(Number.SET, 1);
    }

    private void measured(double loss) {
        if (loss > 0) {
            state.phase(Phase.DRAW);
        } else if (state.mends()) {
            state.set(Number.CANNOT_MEND, 1);
            state.set(Number.MENDS, 0);
            state.phase(Phase.MOVE);
        } else {
            state.phase(Phase.WEIGH);
        }
    }

    private void drawn() {
        int count = state.whole(Number.CANDIDATES);
        double[] all = state.get(Array.CANDIDATES);
        int before = count;
        for (int draw = 0; draw < shape.draws(); draw++) {
            int at = draw * (d + 1);
            if (sums[at + d] == 1) {
                System.arraycopy(sums, at, all, count++ * d, d);
            }
        }
        if (state.mends()) {
            mend(all, before, count);
            return;
        }
        state.set(Array.CANDIDATES, all);
        state.set(Number.CANDIDATES, count);
        state.add(Number.ROUND, 1);
        state.phase(state.whole(Number.ROUND) < KMeansSpec.ROUNDS ? Phase.MEASURE : Phase.WEIGH);
    }

    private void weighed() {
        CandidateStart start =
                new CandidateStart(
                        state.get(Array.CANDIDATES), sums, state.whole(Number.CANDIDATES), d);
        int restart = state.whole(Number.RESTART);
        double[] centres = start.centres(shape.k(), Seeds.generator(seed, STARTS, restart));
        state.set(Array.CENTRES, centres);
        if (restart == 0) {
            shown = centres;
        }
        state.phase(Phase.MOVE);
    }

    private double[] counts() {
        return Arrays.copyOfRange(sums, shape.centres(), shape.centres() + shape.k());
    }

    private double inertia() {
        double squares = sums[shape.centres() + shape.k()];
        return InertiaSum.of(sums, counts(), squares, state.get(Array.CENTRES), shape);
    }

    private void moved() {
        double[] centres = state.get(Array.CENTRES);
        double[] counts = counts();
        if (isBest()) {
            shown = centres; // As they are moved below: means of so many samples.
            state.set(Array.SIZES, counts);
        }
        double moved = 0;
        for (int at = 0; at < centres.length; at++) {
            if (counts[at / d] > 0) {
                double mean = sums[at] / counts[at / d];
                moved += (mean - centres[at]) * (mean - centres[at]);
                centres[at] = mean;
            }
        }
        state.set(Array.CENTRES, centres);
        state.add(Number.ITERATION, 1);
        if (canMend(counts)) {
            beginMending(counts);
        } else if (moved <= spec.tolerance() * state.get(Number.VARIANCE) || isOver()) {
            state.phase(Phase.JUDGE);
        }
    }

    private boolean isOver() {
        return state.get(Number.ITERATION) >= spec.iterations();
    }

    private boolean isBest() {
        int restart = state.whole(Number.RESTART);
        return restart == 0 || inertia() < state.get(Array.INERTIAS, state.whole(Number.BEST));
    }

    private boolean canMend(double[] counts) {
        return Arrays.stream(counts).anyMatch(count -> count == 0)
                && state.get(Number.CANNOT_MEND) == 0
                && !isOver();
    }

    /** Samples are measured by the centres that have some. */
    private void beginMending(double[] counts) {
        double[] centres = state.get(Array.CENTRES);
        double[] kept = new double[centres.length];
        int count = 0;
        for (int c = 0; c < shape.k(); c++) {
            if (counts[c] > 0) {
                System.arraycopy(centres, c * d, kept, count++ * d, d);
            }
        }
        candidates(kept, count);
        state.set(Array.COUNTS, counts);
        state.set(Number.MENDS, 1);
        state.phase(Phase.MEASURE);
    }

    /** Gives each centre without samples the farthest of those drawn. */
    private void mend(double[] candidates, int kept, int count) {
        double[] centres = state.get(Array.CENTRES);
        double[] squared = new double[count];
        for (int i = kept; i < count; i++) {
            squared[i] = Double.POSITIVE_INFINITY;
            for (int c = 0; c < kept; c++) {
                squared[i] = Math.min(squared[i], apart(candidates, i, c));
            }
        }
        for (int c = 0; c < shape.k(); c++) {
            if (state.get(Array.COUNTS, c) == 0) {
                int farthest = kept;
                for (int i = kept; i < count; i++) {
                    farthest = squared[i] > squared[farthest] ? i : farthest;
                }
                System.arraycopy(candidates, farthest * d, centres, c * d, d);
                for (int i = kept; i < count; i++) {
                    squared[i] = Math.min(squared[i], apart(candidates, i, farthest));
                }
                state.add(Number.MENDED, 1);
            }
        }
        state.set(Array.CENTRES, centres);
        state.set(Number.MENDS, 0);
        state.phase(Phase.MOVE);
    }

    private double apart(double[] candidates, int a, int b) {
        return Distance.squared(candidates, a * d, candidates, b * d, d);
    }

    private void judged() {
        double[] counts = counts();
        if (canMend(counts)) {
            beginMending(counts);
            return;
        }
        int restart = state.whole(Number.RESTART);
        boolean isBest = isBest();
        state.set(Array.INERTIAS, restart, inertia());
        state.set(Array.ITERATIONS, restart, state.get(Number.ITERATION));
        if (isBest) {
            order(state.get(Array.CENTRES), counts);
            state.set(Number.BEST, restart);
            shown = state.get(Array.BEST);
        }
        state.add(Number.RESTART, 1);
        if (restart + 1 < shape.restarts()) {
            begin();
        } else {
            state.set(Array.CENTRES, state.get(Array.BEST));
            state.phase(Phase.DONE);
        }
    }

    /** The largest cluster is the first. */
    private void order(double[] centres, double[] counts) {
        double[] ordered = new double[centres.length];
        double[] sizes = new double[counts.length];
        boolean[] taken = new boolean[counts.length];
        for (int place = 0; place < counts.length; place++) {
            int largest = -1;
            for (int c = 0; c < counts.length; c++) {
                if (!taken[c] && (largest < 0 || counts[c] > counts[largest])) {
                    largest = c;
                }
            }
            taken[largest] = true;
            sizes[place] = counts[largest];
            System.arraycopy(centres, largest * d, ordered, place * d, d);
        }
        state.set(Array.BEST, ordered);
        state.set(Array.SIZES, sizes);
    }
}
