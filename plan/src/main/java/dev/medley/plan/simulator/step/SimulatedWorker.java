package dev.medley.plan.simulator.step;

import dev.medley.base.Seeds;
import dev.medley.plan.simulator.fabric.Disturbance;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.sum.Sums;
import dev.medley.profile.speed.StepTime;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Simulates a step of one machine: forward, backward with its buckets, the rest, the update. */
public final class SimulatedWorker {
    /**
     * Forward takes a third of a step, backward two: it makes two products for each of forward's.
     */
    static final double FORWARD_PART = 1.0 / 3;

    private static final double MOST_DEVIATIONS = 3;
    private static final double LEAST_FACTOR = 0.2;

    private final EventQueue events;
    private final Fabric fabric;
    private final Sums sums;
    private final StepShape shape;
    private final int rank;
    private final RandomGenerator random;
    private final @Nullable RoundActivity within;

    private int summed;
    private double startNs;
    private double computeNs;
    private double endNs;

    /** A worker that computes all of its share before it exchanges, but for its buckets. */
    SimulatedWorker(
            EventQueue events, Fabric fabric, Sums sums, StepShape shape, int rank, long seed) {
        this(events, fabric, sums, shape, rank, seed, null);
    }

    /** The same with what lies within its rounds; null for nothing. */
    public SimulatedWorker(
            EventQueue events,
            Fabric fabric,
            Sums sums,
            StepShape shape,
            int rank,
            long seed,
            @Nullable RoundActivity within) {
        this.within = within;
        this.events = events;
        this.fabric = fabric;
        this.sums = sums;
        this.shape = shape;
        this.rank = rank;
        this.random = Seeds.generator(seed, fabric.kind(rank).machine().name().hashCode(), rank);
    }

    /** Begins a step where it ended the one before. */
    public void begin(int share) {
        startNs = endNs;
        summed = 0;
        double meanNs = share > 0 ? time().predictNs(share) : 0;
        double steps = shape.innerSteps(share);
        RoundActivity exchange = within;
        if (exchange == null) {
            double wallNs = drawnNs(meanNs, Math.max(1, steps));
            events.at(startNs, () -> compute(wallNs, 0));
        } else {
            RoundActivity.Turn turn =
                    new RoundActivity.Turn(
                            rank, share, (int) steps, () -> drawnNs(meanNs / steps, 1));
            events.at(startNs, () -> exchange.take(turn, this::leaveRest));
        }
    }

    /** Begins a step now, whenever the one before ended. */
    void beginNow(int share) {
        endNs = events.nowNs();
        begin(share);
    }

    private void leaveRest(double ownNs) {
        computeNs = ownNs;
        for (int slice = shape.fragmentSlices(); slice < shape.slices().size(); slice++) {
            sums.handOver(rank, slice);
        }
    }

    /** Whether it has all sums of its step. */
    boolean isDone() {
        return summed == shape.slices().size();
    }

    /** It has the sum of one more slice; with the last of them it ends the step. */
    public void hasSum() {
        if (++summed == shape.slices().size()) {
            endNs = Math.max(events.nowNs(), within == null ? 0 : within.freeNs(rank));
        }
    }

    /** Its next step begins so much later. */
    public void pause(double ns) {
        endNs += ns;
    }

    /** When it was through with its step. */
    public double endNs() {
        return endNs;
    }

    /** In which it computed: until backward was done, or all inner steps together. */
    public double computeNs() {
        return computeNs;
    }

    /** From the end of its backward until it had all sums. */
    public double exchangeNs() {
        return endNs - startNs - computeNs;
    }

    /** Until the next slice can leave, which it then does. */
    private void compute(double wallNs, int slice) {
        double from = slice == 0 ? 0 : shape.readyPart(slice - 1);
        double stretch = (shape.readyPart(slice) - from) * wallNs;
        double now = events.nowNs();
        double until = stretch > 0 ? fabric.processor(rank).compute(now, stretch) : now;
        events.at(until, () -> leave(wallNs, slice));
    }

    private void leave(double wallNs, int slice) {
        if (shape.readyPart(slice) == 1 && isFirstOfTheEnd(slice)) {
            computeNs = events.nowNs() - startNs;
            fabric.processor(rank).rest();
        }
        sums.handOver(rank, slice);
        if (slice + 1 < shape.slices().size()) {
            compute(wallNs, slice + 1);
        }
    }

    private boolean isFirstOfTheEnd(int slice) {
        return slice == 0 || shape.readyPart(slice - 1) < 1;
    }

    /** Of so many steps, whose times vary each by itself. */
    private double drawnNs(double mean, double steps) {
        Disturbance unrest = fabric.kind(rank).unrest();
        double drawn = mean;
        if (unrest.variation() > 0) {
            double gauss =
                    Math.max(-MOST_DEVIATIONS, Math.min(MOST_DEVIATIONS, random.nextGaussian()));
            double factor = 1 + unrest.variation() / Math.sqrt(steps) * gauss;
            drawn *= Math.max(LEAST_FACTOR, factor);
        }
        return drawn + pausesNs(unrest, drawn);
    }

    /** Pauses come at random, as many as there are in a time (a Poisson process). */
    private double pausesNs(Disturbance unrest, double ns) {
        if (unrest.pauseEveryNs() == 0) {
            return 0;
        }
        double paused = 0;
        double at = -Math.log(1 - random.nextDouble()) * unrest.pauseEveryNs();
        while (at < ns) {
            paused += unrest.pauseNs();
            at -= Math.log(1 - random.nextDouble()) * unrest.pauseEveryNs();
        }
        return paused;
    }

    /** The line by which its steps grow with its share, exact. */
    public StepTime time() {
        return shape.time(fabric.kind(rank).time());
    }
}
