package dev.medley.plan.source;

import dev.medley.base.Group;
import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.policy.MachineKind;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.speed.StepTimeGuess;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Wraps another plan source and hands every call on to it; a subclass changes what it is for.
 *
 * <p>Thread: the coordinator's agent.
 */
public abstract class PlanAround implements PlanSource {
    /** The source that plans; a subclass that changes its mind puts another one here. */
    protected PlanSource source;

    /** Around {@code source}. */
    protected PlanAround(PlanSource source) {
        this.source = source;
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        return source.plan(group, version, committedStep);
    }

    @Override
    public @Nullable String outOfMemory(String machine) {
        return source.outOfMemory(machine);
    }

    @Override
    public @Nullable String outOfMemoryTrying(String machine, int samples) {
        return source.outOfMemoryTrying(machine, samples);
    }

    @Override
    public TrialScope comes(WorkerId worker, MachineKind machine) {
        return source.comes(worker, machine);
    }

    @Override
    public void guessed(WorkerId worker, StepTimeGuess guess) {
        source.guessed(worker, guess);
    }

    @Override
    public void joins(WorkerId worker, List<Measured> tried) {
        source.joins(worker, tried);
    }

    @Override
    public @Nullable String resized(WorkerId worker, MachineKind machine, double faster) {
        return source.resized(worker, machine, faster);
    }

    @Override
    public void holds(WorkerId worker, List<Integer> shards) {
        source.holds(worker, shards);
    }

    @Override
    public void leaves(WorkerId worker) {
        source.leaves(worker);
    }

    @Override
    public void knows(ClusterProfile cluster) {
        source.knows(cluster);
    }

    @Override
    public void surveyed(LinkReport report) {
        source.surveyed(report);
    }

    @Override
    public @Nullable List<String> sites(List<String> declared, long committedStep) {
        return source.sites(declared, committedStep);
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        source.stepped(step, byWorker);
    }

    @Override
    public void noised(NoiseSample noise) {
        source.noised(noise);
    }

    @Override
    public void took(long samples, long stepNs) {
        source.took(samples, stepNs);
    }

    @Override
    public @Nullable String remark() {
        return source.remark();
    }

    @Override
    public @Nullable StrategySpec strategy() {
        return source.strategy();
    }

    @Override
    public boolean probesAnew() {
        return source.probesAnew();
    }

    @Override
    public @Nullable String wish(long step) {
        return source.wish(step);
    }

    @Override
    public Map<WorkerId, String> sitsOut(long step) {
        return source.sitsOut(step);
    }

    @Override
    public Map<WorkerId, Integer> tries(long step) {
        return source.tries(step);
    }

    @Override
    public void tried(WorkerId worker, Measured alone) {
        source.tried(worker, alone);
    }

    @Override
    public Map<WorkerId, String> comesBack(long step) {
        return source.comesBack(step);
    }

    @Override
    public long lastStep(long committedStep) {
        return source.lastStep(committedStep);
    }

    @Override
    public int groupSize(long committedStep, int ready) {
        return source.groupSize(committedStep, ready);
    }
}
