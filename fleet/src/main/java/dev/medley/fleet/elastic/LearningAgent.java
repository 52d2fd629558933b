package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.BatchBounds;
import dev.medley.fleet.elastic.trace.MeasuredModel;
import dev.medley.fleet.elastic.trace.NoiseAt;
import dev.medley.fleet.elastic.trace.StepCost;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a job's batch for what it has measured, and predicts how fast it would learn with other
 * shares.
 *
 * <p>Thread: the cluster's.
 */
final class LearningAgent implements JobAgent {
    private final MeasuredModel model;
    private final Learnt learnt;
    private final Knowledge knowledge;
    private @Nullable NoiseAt ownNoise;
    private int epoch;

    LearningAgent(MeasuredModel model, Learnt learnt, Knowledge knowledge) {
        this.model = model;
        this.learnt = learnt;
        this.knowledge = knowledge;
    }

    @Override
    public LocalBatch batch(int nodes, int workers) {
        BatchBounds bounds = model.batches();
        if (model.fixedBatch() > 0) {
            return LocalBatch.of(model.fixedBatch(), workers, bounds).within(workers, bounds);
        }
        if (!isKnown()) {
            int least = Math.max(bounds.initial(), bounds.minLocal() * workers);
            return LocalBatch.of(least, workers, bounds).within(workers, bounds);
        }
        return goodput().best(nodes, workers).batch();
    }

    @Override
    public void observe(Shape shape, StepCost cost, int at, NoiseAt noise) {
        learnt.add(shape, cost, at, noise);
        ownNoise = noise;
        epoch = at;
    }

    @Override
    public boolean isKnown() {
        return knowledge == Knowledge.FULL || !learnt.isEmpty();
    }

    /** Twice as many as were tried, as Pollux lets it grow; not bounded before anything was. */
    @Override
    public int maxWorkers() {
        return knowledge == Knowledge.FULL || learnt.isEmpty()
                ? model.maxWorkers()
                : Math.min(model.maxWorkers(), 2 * learnt.mostWorkers());
    }

    @Override
    public double rate(int workers, int gpusPerNode) {
        int nodes = (workers + gpusPerNode - 1) / gpusPerNode;
        Goodput goodput = goodput();
        if (model.fixedBatch() > 0) {
            return goodput.rate(nodes, workers, batch(nodes, workers));
        }
        return goodput.best(nodes, workers).rate();
    }

    private Goodput goodput() {
        if (knowledge == Knowledge.FULL) {
            NoiseAt noise =
                    ownNoise != null
                            ? ownNoise
                            : model.curves().noise(model.batches().initial(), 0);
            return new Goodput(StepGuess.truth(model.steps()), model.batches(), noise);
        }
        NoiseAt noise = ownNoise != null ? ownNoise : learnt.noise(epoch);
        return new Goodput(learnt.fit(), model.batches(), noise);
    }
}
