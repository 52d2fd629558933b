package dev.medley.api.predict;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.WaterFilling;
import dev.medley.plan.policy.WaterFilling.Vessel;
import dev.medley.plan.source.PlanSource;
import dev.medley.profile.speed.StepTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deals out the blocks of each step by the speed of the workers, and anew where a step would be
 * done in less time so.
 *
 * <p>Thread: the coordinator's.
 */
final class PredictionPlan implements PlanSource {
    /** Steps that a plan is kept, whatever was measured. */
    private static final int LEAST_STEPS = 32;

    /** A step that lasts longer than the best one by this is a reason for another plan. */
    private static final double WORTH_A_CHANGE = 1.25;

    private final int stepBlocks;
    private final Map<WorkerId, Double> blockNs = new HashMap<>();
    private List<WorkerId> members = List.of();
    private List<Integer> shares = List.of();
    private long plannedAt;
    private int secondTries;

    /** So many blocks a step, of so many workers. */
    PredictionPlan(int stepBlocks, int workers) {
        this.stepBlocks = stepBlocks;
        this.secondTries = workers;
    }

    @Override
    public void joins(WorkerId worker, List<Measured> tried) {
        tried.forEach(each -> learn(worker, each));
    }

    @Override
    public void leaves(WorkerId worker) {
        blockNs.remove(worker);
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        byWorker.forEach(this::learn);
    }

    /** The mean of what is known and what is new. */
    private void learn(WorkerId worker, Measured measured) {
        if (measured.share() > 0) {
            double ns = Math.max(1, (double) measured.computeNs() / measured.share());
            blockNs.merge(worker, ns, (before, now) -> (before + now) / 2);
        }
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        members = group.members().stream().map(Member::worker).toList();
        shares = WaterFilling.split(stepBlocks, vessels());
        plannedAt = committedStep;
        return new Plan(version, shares, 1, "blocks go to workers by their speed");
    }

    @Override
    public @Nullable String wish(long step) {
        if (members.size() < 2 || step < plannedAt + LEAST_STEPS) {
            return null;
        }
        double nowNs = 0;
        for (int rank = 0; rank < members.size(); rank++) {
            nowNs = Math.max(nowNs, shares.get(rank) * ns(members.get(rank)));
        }
        boolean isBetter = nowNs > WORTH_A_CHANGE * WaterFilling.longestNs(stepBlocks, vessels());
        boolean isOther = isBetter && !WaterFilling.split(stepBlocks, vessels()).equals(shares);
        return isOther ? "workers are faster or slower than they were" : null;
    }

    /**
     * It is started anew, so often as there were workers: what was too much beside others may be
     * enough later. Then the job is too large for the machine.
     */
    @Override
    public @Nullable String outOfMemory(String machine) {
        return secondTries-- > 0 ? "it is started anew, and the others do its part" : null;
    }

    @Override
    public @Nullable String outOfMemoryTrying(String machine, int samples) {
        return outOfMemory(machine);
    }

    @Override
    public List<String> sites(List<String> declared, long committedStep) {
        return declared;
    }

    private List<Vessel> vessels() {
        return members.stream()
                .map(worker -> new Vessel(new StepTime(0, ns(worker)), 0, stepBlocks))
                .toList();
    }

    /** As fast as the others where nothing is known. */
    private double ns(WorkerId worker) {
        double usual = blockNs.values().stream().mapToDouble(x -> x).average().orElse(1);
        return blockNs.getOrDefault(worker, usual);
    }
}
