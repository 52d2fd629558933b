package dev.medley.tensor.kmeans;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.model.KMeansSpec;
import dev.medley.tensor.kmeans.KMeansState.Array;
import dev.medley.tensor.kmeans.KMeansState.Number;
import dev.medley.tensor.kmeans.KMeansState.Phase;
import dev.medley.tensor.model.StepLoss;
import java.util.List;
import java.util.function.Consumer;

/**
 * Moves centres by batches: of n samples that are nearest to a centre which has seen v before, it
 * becomes {@code (v c + sum x) / (v + n)}. That is what Sculley's update (WWW 2010, algorithm 1)
 * comes to sample by sample. It begins with a fit to some samples, which every worker makes for
 * itself, of the same samples: all come to the same bits.
 *
 * <p>One owner: the training thread.
 */
public final class MiniBatchFit {
    /** Batches, and samples a centre, that a fit begins with. */
    private static final int BATCHES = 10;

    private static final int PER_CENTRE = 100;

    private final KMeansLearner learner;
    private final KMeansSpec spec;
    private final long seed;
    private final KMeansState state;

    /**
     * A fit of nothing yet.
     *
     * @param seed of what is drawn; equal on all workers
     */
    public MiniBatchFit(KMeansLearner learner, KMeansSpec spec, long seed) {
        this.learner = learner;
        this.spec = spec;
        this.seed = seed;
        this.state = learner.fit();
    }

    /** What is fitted. */
    public KMeansLearner learner() {
        return learner;
    }

    /** Whether there are centres. */
    public boolean hasBegun() {
        return state.phase() == Phase.DONE;
    }

    /** Samples that it begins with, of so many, where a step takes {@code batch}. */
    public static long beginsWith(long samples, int batch, int k) {
        return Math.min(samples, Math.max((long) BATCHES * batch, (long) PER_CENTRE * k));
    }

    /**
     * Fits centres to some samples, the same on all workers.
     *
     * @param some gives them in batches, each of which is valid until the next
     * @param batch samples of a step, over all workers
     */
    public void begin(Consumer<Consumer<Batch>> some, long count, int batch) {
        KMeansFit start = new KMeansFit(learner, spec, seed);
        start.learnFrom(some, 0, count);
        while (start.done() == null) {
            StepLoss loss = start.gather();
            start.next(loss.weight(), new double[] {loss.lossSum()}, 0).run();
        }
        double larger = Math.max(1, batch / (double) count);
        state.set(Number.BOUND, larger * state.get(Number.BOUND));
        state.set(Number.BOUND_OF_SQUARES, larger * state.get(Number.BOUND_OF_SQUARES));
    }

    /** What follows when the accumulators are summed over all workers, ready to run. */
    public Runnable next() {
        double[] sums = learner.gathered();
        double[] centres = state.get(Array.CENTRES);
        double[] seen = state.get(Array.SIZES);
        int d = learner.shape().features();
        for (int c = 0; c < seen.length; c++) {
            double count = sums[centres.length + c];
            double all = seen[c] + count;
            for (int at = c * d; count > 0 && at < (c + 1) * d; at++) {
                centres[at] = (seen[c] * centres[at] + sums[at]) / all;
            }
            seen[c] = all;
        }
        return () -> {
            state.set(Array.CENTRES, centres);
            state.set(Array.SIZES, seen);
            learner.centres(centres);
        };
    }

    /** All that it remembers: the span is the state itself. */
    public List<NamedSpan> state() {
        return List.of(state.span());
    }
}
