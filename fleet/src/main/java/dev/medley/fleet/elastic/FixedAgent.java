package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.BatchBounds;
import dev.medley.fleet.elastic.trace.NoiseAt;
import dev.medley.fleet.elastic.trace.StepCost;

/**
 * Keeps the batch that a job's owner asked for, and learns nothing.
 *
 * @param workers that the owner asked for
 */
record FixedAgent(int batch, int workers, BatchBounds bounds) implements JobAgent {
    @Override
    public LocalBatch batch(int nodes, int count) {
        return LocalBatch.of(batch, count, bounds).within(count, bounds);
    }

    @Override
    public void observe(Shape shape, StepCost cost, int epoch, NoiseAt noise) {}

    @Override
    public boolean isKnown() {
        return false;
    }

    @Override
    public int maxWorkers() {
        return workers;
    }

    @Override
    public double rate(int count, int gpusPerNode) {
        throw new IllegalStateException("nothing is known of a job with a fixed batch");
    }
}
