package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.profile.cluster.ClusterProfile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a group trains. What it says follows from its arguments and from the steps that it
 * was told of.
 */
public interface PlanSource {
    /**
     * A step as a worker saw it.
     *
     * @param share samples that it computed
     * @param computeNs in forward, backward and update
     * @param exchangeNs in moving and summing what backward did not hide, without waiting
     * @param waitingNs for others
     */
    record Measured(int share, long computeNs, long exchangeNs, long waitingNs) {
        /** A share that was tried by itself, without others. */
        public static Measured alone(int share, long computeNs) {
            return new Measured(share, computeNs, 0, 0);
        }
    }

    /**
     * A worker is about to join that has tried how fast it is.
     *
     * @param tried shares and what they took; may be empty
     */
    default void joins(WorkerId worker, List<Measured> tried) {}

    /** The machines and the ways between them were measured, while a group formed. */
    default void knows(ClusterProfile cluster) {}

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
     * The strategy of the group that was planned last; null where the job names it and its codec.
     * But for the codec it stays what it is for the whole run: steps are counted in its rounds.
     */
    default @Nullable StrategySpec strategy() {
        return null;
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
     */
    default @Nullable String outOfMemory() {
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
