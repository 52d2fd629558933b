package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.NoiseAt;
import dev.medley.fleet.elastic.trace.StepCost;

/**
 * Chooses the batch of one job, sees what it measures, and predicts its speed with other shares.
 *
 * <p>Thread: the cluster's.
 */
interface JobAgent {
    /** How to cut a step of workers on nodes. */
    LocalBatch batch(int nodes, int workers);

    /** Takes what a step took, and the gradient noise in it, in an epoch counted from 0. */
    void observe(Shape shape, StepCost cost, int epoch, NoiseAt noise);

    /** Whether anything can be said about its speed. */
    boolean isKnown();

    /** The most workers that it may have. */
    int maxWorkers();

    /**
     * Steps of the initial batch a second with workers on as few nodes as they need, with the batch
     * that suits them best; only where something is known.
     */
    double rate(int workers, int gpusPerNode);

    /** Holds what a step's time depends on. */
    record Shape(int nodes, int workers, int local) {}
}
