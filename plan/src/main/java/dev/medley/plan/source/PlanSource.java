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
 * Decides how a group trains. The answers follow from the arguments and from the steps that it was
 * told of.
 */
public interface PlanSource {
    /**
     * A step as a worker saw it.
     *
     * @param share samples that it computed
     * @param computeNs in forward, backward and update
     * @param exchangeNs in moving and summing what backward did not hide, without waiting
     * @param waitingNs for others
     * @param sentBytes to others
     */
    record Measured(int share, long computeNs, long exchangeNs, long waitingNs, long sentBytes) {
        /** A share that was tried by itself, without others. */
        public static Measured alone(int share, long computeNs) {
            return new Measured(share, computeNs, 0, 0, 0);
        }
    }

    /**
     * A worker has come; its trial and {@link #joins} follow.
     *
     * @param machine that it runs on
     * @return how much it has to try
     */
    default TrialScope comes(WorkerId worker, MachineKind machine) {
        return TrialScope.FULL;
    }

    /** How long a worker's steps took in earlier runs on such machines; before it joins. */
    default void guessed(WorkerId worker, StepTimeGuess guess) {}

    /**
     * A worker is about to join that has tried how fast it is.
     *
     * @param tried shares and what they took; may be empty
     */
    default void joins(WorkerId worker, List<Measured> tried) {}

    /**
     * A worker's machine grants it more or less than before, so that it is no longer as fast as it
     * was, from the next group on.
     *
     * @param machine what it runs on now
     * @param faster how many times as fast it is thought to compute, until its steps say
     * @return what plans do about it, in words; null for nothing
     */
    default @Nullable String resized(WorkerId worker, MachineKind machine, double faster) {
        return null;
    }

    /** A worker's machine has these shards of the training samples; before it joins. */
    default void holds(WorkerId worker, List<Integer> shards) {}

    /** A worker is gone for good, whether it took part or sat out; its identity never returns. */
    default void leaves(WorkerId worker) {}

    /** The machines and the ways between them were measured, while a group formed. */
    default void knows(ClusterProfile cluster) {}

    /** The same, by the workers that are on each machine. */
    default void surveyed(LinkReport report) {}

    /**
     * Where the members of a group stand, by rank, which decides in which order sums are added;
     * null for where they were declared to stand, or, where nothing was declared, for what their
     * latencies say.
     */
    default @Nullable List<String> sites(List<String> declared, long committedStep) {
        return null;
    }

    /** A step was applied by the present group; in order of steps. */
    default void stepped(long step, Map<WorkerId, Measured> byWorker) {}

    /** What a step said about the gradient's noise; before {@link #stepped} tells of the step. */
    default void noised(NoiseSample noise) {}

    /**
     * A step was applied by the present group.
     *
     * @param samples over all members
     * @param stepNs from its beginning to its end, as the slowest member saw it
     */
    default void took(long samples, long stepNs) {}

    /** Something that the user should know, said once; null for nothing. */
    default @Nullable String remark() {
        return null;
    }

    /**
     * The strategy of the group that was planned last, with its codec; null where the job names
     * both. From the group's first step on a step is one of its rounds.
     */
    default @Nullable StrategySpec strategy() {
        return null;
    }

    /** Whether the group that was planned last is to probe the ways between its machines anew. */
    default boolean probesAnew() {
        return false;
    }

    /**
     * Why the group should be formed anew after {@code step}, with another plan; null to keep it.
     */
    default @Nullable String wish(long step) {
        return null;
    }

    /** Members that the others should go on without, with the reason. */
    default Map<WorkerId, String> sitsOut(long step) {
        return Map.of();
    }

    /**
     * Workers that sit out and should try this share by themselves, to say how fast they are by
     * now; asked for once each, until {@link #tried} tells the answer.
     */
    default Map<WorkerId, Integer> tries(long step) {
        return Map.of();
    }

    /** A worker that sits out has tried what it was asked to. */
    default void tried(WorkerId worker, Measured alone) {}

    /** Workers that sit out and should take part again, with the reason. */
    default Map<WorkerId, String> comesBack(long step) {
        return Map.of();
    }

    /**
     * A plan for a group.
     *
     * @param group who takes part
     * @param version of the new plan
     * @param committedStep last step applied before it
     */
    Plan plan(Group group, int version, long committedStep);

    /**
     * A member ran out of memory in a step: what the next plans do about it, in words; null if they
     * can do nothing.
     *
     * @param machine type of the machine that it ran on; empty where it is not known
     */
    default @Nullable String outOfMemory(String machine) {
        return null;
    }

    /**
     * A worker ran out of memory while it tried so many samples at once, before it was a member:
     * what the next trials and plans do about it, in words; null if they can do nothing.
     *
     * @param machine type of the machine that it ran on; empty where it is not known
     */
    default @Nullable String outOfMemoryTrying(String machine, int samples) {
        return null;
    }

    /**
     * The last step that a group formed after {@code committedStep} may take; unlimited unless
     * plans are repeated.
     */
    default long lastStep(long committedStep) {
        return Long.MAX_VALUE;
    }

    /** How many of the ready workers take part; all unless plans are repeated. */
    default int groupSize(long committedStep, int ready) {
        return ready;
    }
}
