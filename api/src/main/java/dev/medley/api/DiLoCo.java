package dev.medley.api;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec.Outer;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import java.time.Duration;
import java.util.List;

/**
 * DiLoCo: each worker takes many steps by itself, then all take one together along the mean of
 * their changes, with Nesterov's momentum. The formulas are in docs/local-steps.md.
 *
 * @param cluster the workers that compute
 * @param strategy by which they exchange
 */
public record DiLoCo(ClusterSpec cluster, StrategySpec strategy) implements Parallelism {
    /** So many worker processes on this machine that exchange after every 64 steps. */
    public static DiLoCo workers(int workers) {
        return new DiLoCo(ClusterSpec.ofWorkers(workers), StrategySpec.defaults(Kind.DILOCO));
    }

    /** The same with so many steps of a batch between two exchanges. */
    public DiLoCo syncEvery(int steps) {
        return new DiLoCo(cluster, strategy.with(strategy.round().every(steps)));
    }

    /** The same with steps of so many samples that each worker takes by itself. */
    public DiLoCo innerBatch(int samples) {
        return new DiLoCo(cluster, strategy.with(strategy.round().inBatchesOf(samples)));
    }

    /** The same with another common step; 0.7 and 0.9 otherwise. */
    public DiLoCo outer(double learningRate, double momentum) {
        return new DiLoCo(cluster, strategy.with(strategy.round().outer(learningRate, momentum)));
    }

    /**
     * The same with parameters in so many fragments, which take their common step one after another
     * in a round; 1 otherwise.
     */
    public DiLoCo fragments(int count) {
        int overlap = strategy.round().stream().overlap();
        return streaming(new StreamSpec(count, overlap));
    }

    /**
     * The same with so many batches that all workers take while a fragment travels; 0 otherwise.
     * Fragments times overlap is at most the steps between two exchanges, which are set first.
     */
    public DiLoCo overlap(int batches) {
        int fragments = strategy.round().stream().fragments();
        return streaming(new StreamSpec(fragments, batches));
    }

    private DiLoCo streaming(StreamSpec stream) {
        return new DiLoCo(cluster, strategy.with(strategy.round().streaming(stream)));
    }

    /** The same with Adam as the rule of the common step; 0.1 and 0.9 are usual. */
    public DiLoCo outerAdam(double learningRate, double beta1) {
        return new DiLoCo(
                cluster, strategy.with(strategy.round().outer(Outer.ADAM, learningRate, beta1)));
    }

    /**
     * The same, whose rounds end without workers that are late: when so many are done, or below 1
     * such a part of them, the others may go on for a tenth of the time that these took.
     */
    public DiLoCo quorum(double workers) {
        return waitingFor(strategy.round().quorum().ofWorkers(workers));
    }

    /**
     * The same with another time for which workers may go on when the quorum is done; without a
     * quorum it means nothing.
     */
    public DiLoCo grace(Duration grace) {
        return waitingFor(strategy.round().quorum().waiting(grace.toNanos()));
    }

    private DiLoCo waitingFor(QuorumSpec quorum) {
        return new DiLoCo(cluster, strategy.with(strategy.round().waitingFor(quorum)));
    }

    /** The same, with rounds in which faster workers take more steps, so that all end together. */
    public DiLoCo balanced() {
        return new DiLoCo(cluster, strategy.with(List.of(), Balance.SPEED));
    }

    /** The same with another codec between sites; within a site nothing is compressed. */
    public DiLoCo compress(Compress codec) {
        return new DiLoCo(cluster, strategy.with(codec));
    }

    /** The same with a codec that goes so far. */
    public DiLoCo compress(Compress codec, CodecSpec how) {
        return new DiLoCo(cluster, strategy.with(codec, how));
    }
}
