package dev.medley.training.loop;

import dev.medley.base.StepTag;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Replica;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.evaluation.Evaluator;

/**
 * What a worker exchanges with one group: buckets, statistics and evaluations over one collective.
 */
public final class GroupExchange {
    private final Collective collective;
    private final ExchangeLayout layout;
    private final Buckets buckets;
    private final RunningStatistics statistics;
    private final Evaluator evaluator;

    /**
     * Lays the exchange memory out and lets the replica's gradients lie in it.
     *
     * @param exactSteps first steps of the run that no codec touches
     */
    public GroupExchange(
            Collective collective,
            ExchangeLayout layout,
            Replica replica,
            Evaluator evaluator,
            long bucketBytes,
            long exactSteps) {
        this.collective = collective;
        this.layout = layout;
        this.evaluator = evaluator;
        replica.bindGradients(collective.buffer().slice(0, layout.gradientBytes()));
        this.buckets = new Buckets(replica, collective, layout, bucketBytes, exactSteps);
        this.statistics =
                new RunningStatistics(
                        replica.buffers(),
                        collective.buffer().slice(layout.bufferOffset(), layout.bufferBytes()),
                        layout.elementType());
    }

    Collective collective() {
        return collective;
    }

    Buckets buckets() {
        return buckets;
    }

    RunningStatistics statistics() {
        return statistics;
    }

    Evaluator.Result evaluate(Replica replica, StepTag tag) {
        return evaluator.evaluate(replica, collective, tag, layout.evaluationOffset());
    }
}
