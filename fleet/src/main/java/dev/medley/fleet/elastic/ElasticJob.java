package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.NoiseAt;
import dev.medley.fleet.elastic.trace.StepCost;
import dev.medley.fleet.elastic.trace.WorkloadJob;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs one job in a cluster: it advances by measured step times and gains, epoch by epoch.
 *
 * <p>Thread: the cluster's. Policies read it, and only a cluster writes.
 */
public final class ElasticJob {
    /** Seconds in which a job whose workers change does nothing, as in Pollux's simulator. */
    public static final double RESTART_S = 30;

    private static final int[] NONE = {};

    private final int index;
    private final WorkloadJob spec;
    private final JobAgent agent;
    private int[] nodeOfWorker = NONE;
    private int[] placement = NONE;
    private @Nullable LocalBatch batch;
    private double nowS;
    private double restartLeftS;
    private double work;
    private int epoch;
    private double gpuSeconds;
    private int restarts = -1;
    private double endedS = Double.NaN;

    ElasticJob(int index, WorkloadJob spec, JobAgent agent) {
        this.index = index;
        this.spec = spec;
        this.agent = agent;
    }

    /** Its place in the workload, from 0. */
    public int index() {
        return index;
    }

    /** What its owner submitted. */
    public WorkloadJob spec() {
        return spec;
    }

    /** The node of each of its workers, or none. */
    public int[] nodeOfWorker() {
        return nodeOfWorker.clone();
    }

    /** How many workers it has. */
    public int workers() {
        return nodeOfWorker.length;
    }

    /** Work done, in steps of the initial batch. */
    public double work() {
        return work;
    }

    /** Work that its declared epochs still need, in steps of the initial batch. */
    public double remainingWork() {
        return spec.model().totalWork() - work;
    }

    /** Epochs done. */
    public int epoch() {
        return epoch;
    }

    /** Seconds on GPUs, times GPUs. */
    public double gpuSeconds() {
        return gpuSeconds;
    }

    /** How often its workers changed after its first start. */
    public int restarts() {
        return Math.max(0, restarts);
    }

    /** When it ended, in seconds; NaN before. */
    public double endedS() {
        return endedS;
    }

    /** Whether it is not over. */
    public boolean isOpen() {
        return Double.isNaN(endedS);
    }

    JobAgent agent() {
        return agent;
    }

    /** Changes its workers, which costs it a restart. */
    void place(int[] nodes) {
        nodeOfWorker = nodes.clone();
        placement = runs(nodes);
        if (nodes.length > 0) {
            batch = agent.batch(placement.length, nodes.length);
            restartLeftS = RESTART_S;
            restarts++;
        }
    }

    /** Lets it work for some seconds, or wait. */
    void advance(double seconds) {
        if (placement.length == 0) {
            nowS += seconds;
            return;
        }
        double waitS = Math.min(restartLeftS, seconds);
        restartLeftS -= waitS;
        pass(waitS);
        double leftS = seconds - waitS;
        while (leftS > 0 && isOpen()) {
            leftS -= train(leftS);
        }
        nowS += leftS;
    }

    /** Trains until the epoch or the time ends; the seconds used. */
    private double train(double leftS) {
        LocalBatch cut = Objects.requireNonNull(batch);
        int workers = nodeOfWorker.length;
        int total = cut.total(workers);
        StepCost cost = spec.model().steps().at(placement, cut.size());
        NoiseAt noise = spec.model().curves().noise(total, epoch);
        agent.observe(
                new JobAgent.Shape(placement.length, workers, cut.size()), cost, epoch, noise);
        double gain = noise.gain((double) total / spec.model().batches().initial());
        double rate = gain / cost.totalS(cut.accumulated());
        double next = spec.model().curves().work(epoch + 1);
        double usedS = leftS;
        if (work + rate * leftS < next) {
            work += rate * leftS;
            pass(leftS);
        } else {
            usedS = Math.rint((next - work) / rate);
            work = next;
            epoch++;
            pass(usedS);
            if (epoch >= spec.model().epochs()) {
                endedS = nowS;
            }
        }
        batch = agent.batch(placement.length, workers);
        return usedS;
    }

    private void pass(double seconds) {
        nowS += seconds;
        gpuSeconds += seconds * nodeOfWorker.length;
    }

    /** Workers by node, in order of the list: a node that comes twice apart counts twice. */
    private static int[] runs(int[] nodes) {
        int[] counts = new int[nodes.length];
        int used = 0;
        for (int i = 0; i < nodes.length; i++) {
            if (i > 0 && nodes[i] == nodes[i - 1]) {
                counts[used - 1]++;
            } else {
                counts[used++] = 1;
            }
        }
        return Arrays.copyOf(counts, used);
    }
}
