package dev.medley.training.strategy;

import dev.medley.base.job.JobSpec;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Optimizer;

/** The strategies by name. */
public final class Strategies {
    private Strategies() {}

    /**
     * The strategy of a job, for one worker's replica; while it is to be chosen, data-parallel
     * stands in.
     */
    public static Strategy of(JobSpec job, Replica replica) {
        Optimizer optimizer = replica.optimizer(job.train().optimizer());
        double clipNorm = job.train().clipNorm();
        return switch (job.strategy().whileOpen().kind()) {
            case DATA_PARALLEL ->
                    new EveryStep(
                            replica, optimizer, clipNorm, job.train().batches().measuresNoise());
            case LOCAL_SGD, DILOCO ->
                    new LocalSteps(replica, optimizer, job.strategy().round(), clipNorm);
            case AUTO -> throw new IllegalStateException("auto is one of the others");
        };
    }
}
