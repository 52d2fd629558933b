package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.BatchBounds;
import dev.medley.fleet.elastic.trace.NoiseAt;

/**
 * Predicts how fast a job learns, and with which batch it does so best: steps of the initial batch
 * a second, which is throughput times statistical efficiency (Pollux, equation 6).
 *
 * @param noise of the gradient, as far as it is known
 */
record Goodput(StepGuess steps, BatchBounds bounds, NoiseAt noise) {
    private static final int CANDIDATES = 50;

    /** Holds a batch and how fast the job learns with it. */
    record Choice(LocalBatch batch, double rate) {}

    /** The best of 50 batches in equal ratios, from the least to the largest. */
    Choice best(int nodes, int workers) {
        double least = Math.max(bounds.initial(), bounds.minLocal() * workers);
        double ratio = Math.pow(bounds.max() / least, 1.0 / (CANDIDATES - 1));
        Choice best = new Choice(LocalBatch.of(least, workers, bounds), 0);
        double batch = least;
        for (int i = 0; i < CANDIDATES; i++) {
            LocalBatch cut =
                    LocalBatch.of(Math.min(batch, bounds.max()), workers, bounds)
                            .within(workers, bounds);
            if (cut.size() >= bounds.minLocal() && cut.size() <= bounds.maxLocal()) {
                double rate = rate(nodes, workers, cut);
                best = rate > best.rate ? new Choice(cut, rate) : best;
            }
            batch *= ratio;
        }
        return best;
    }

    /** How fast it learns with a given batch. */
    double rate(int nodes, int workers, LocalBatch cut) {
        double gain = noise.gain((double) cut.total(workers) / bounds.initial());
        return gain / steps.at(nodes, workers, cut.size()).totalS(cut.accumulated());
    }
}
