package dev.medley.plan.simulator;

import dev.medley.base.Seeds;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.step.SimulatedWorker;
import dev.medley.plan.simulator.step.StepShape;
import dev.medley.plan.simulator.step.TrainingLoad;
import dev.medley.plan.simulator.sum.LinkSums;
import dev.medley.plan.simulator.sum.Sums;
import dev.medley.plan.strategy.StrategyModel;
import dev.medley.plan.strategy.StrategyModels;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a group that trains, from its forming to the next: its workers, how they sum, and what
 * they do within a round.
 */
public final class SimulatedGroup {
    private final EventQueue events;
    private final Fabric fabric;
    private final Sums sums;
    private final StrategyModel model;
    private final StrategyModel.Scene scene;
    private final @Nullable RoundActivity within;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final double[] sentBefore;
    private List<Integer> shares = List.of();

    /**
     * What a group trains.
     *
     * @param load of the model
     * @param batch samples of one batch over all members
     * @param innerBatch samples of a step that a worker takes by itself; 0 for its part of the
     *     batch
     */
    public record Task(TrainingLoad load, StrategySpec strategy, int batch, int innerBatch) {}

    /**
     * A group of all machines of a fabric.
     *
     * @param owed samples that the group before left behind: they are dealt anew
     */
    public SimulatedGroup(EventQueue events, Fabric fabric, Task task, long owed, long seed) {
        this.events = events;
        this.fabric = fabric;
        StepShape usual = StepShape.of(task.load(), task.strategy(), fabric.size(), task.batch());
        StepShape shape = task.innerBatch() == 0 ? usual : usual.inStepsOf(task.innerBatch());
        sums = LinkSums.of(events, fabric, shape.slices(), task.strategy(), this::summed);
        model = StrategyModels.of(task.strategy());
        scene =
                new StrategyModel.Scene(
                        events, fabric, task.load(), task.strategy(), shape, sums, owed, seed);
        within = model.activity(scene);
        for (int rank = 0; rank < fabric.size(); rank++) {
            workers.add(
                    new SimulatedWorker(
                            events, fabric, sums, shape, rank, Seeds.of(seed, 1), within));
        }
        sentBefore = new double[fabric.size()];
    }

    /** Whether no two steps differ but by what disturbs machines and links. */
    boolean isEven() {
        return model.isEven(scene);
    }

    private void summed(int rank, int slice) {
        workers.get(rank).hasSum();
        if (within != null) {
            within.summed(rank, slice);
        }
    }

    /** The same members form anew: the next step begins so much later. */
    void formAnew(double ns) {
        if (within != null) {
            within.formed();
        }
        beginLater(ns);
    }

    /** The next step begins so much later. */
    public void beginLater(double ns) {
        workers.forEach(worker -> worker.pause(ns));
    }

    /** Takes a step with these shares, by rank. */
    public void step(List<Integer> with) {
        shares = with;
        sums.begin();
        if (within != null) {
            within.begin(with);
        }
        for (int rank = 0; rank < workers.size(); rank++) {
            sentBefore[rank] = fabric.sentBytes(rank);
            workers.get(rank).begin(with.get(rank));
        }
        events.run();
        if (within != null) {
            within.end();
        }
    }

    /** When the last of them was through with the step. */
    public double latestNs() {
        return workers.stream().mapToDouble(SimulatedWorker::endNs).max().orElse(0);
    }

    /** Of the worker that computed longest in the step. */
    double computeNs() {
        return workers.stream().mapToDouble(SimulatedWorker::computeNs).max().orElse(0);
    }

    /** Samples in the sum of the step. */
    public double summed() {
        double ofShares = shares.stream().mapToInt(share -> share).sum();
        return within == null ? ofShares : within.summed(ofShares);
    }

    /** Samples that a rank took in the step. */
    int taken(int rank) {
        int share = shares.get(rank);
        return within == null ? share : within.taken(rank, share);
    }

    /** Samples of its steps that no sum has yet. */
    public long behind() {
        return within == null ? 0 : within.behind();
    }

    /** Bytes that a rank sent in the step. */
    long sentBytes(int rank) {
        return (long) (fabric.sentBytes(rank) - sentBefore[rank]);
    }

    List<SimulatedWorker> workers() {
        return workers;
    }
}
