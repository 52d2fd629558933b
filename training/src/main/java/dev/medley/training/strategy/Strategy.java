package dev.medley.training.strategy;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.StepTag;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.route.SiteMap;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes what lies between two exchanges, and what follows one. The loop calls {@link #compute}
 * and {@link #update} once a step, in this order; a step of the loop ends with one exchange,
 * whatever lies before it. All members of a group have the same strategy.
 *
 * <p>Owns what it needs beside the learner: the optimizer, copies, momentum. One owner: the
 * training thread.
 */
public interface Strategy extends AutoCloseable {
    /** What the group that begins next does; before {@link #formed} or {@link #continued}. */
    default void planned(Plan plan) {}

    /** A group begins; its members hold equal parameters and equal {@link #state()}. */
    void formed(Group group);

    /** The same, for those who exchange beside the sums. */
    default void formed(Group group, Collective collective) {
        formed(group);
    }

    /**
     * The group before goes on under another plan: the same members in the same order, none of whom
     * is behind. What each of them holds for itself may stay.
     */
    default void continued(Group group, Collective collective) {
        formed(group, collective);
    }

    /**
     * Whether members hold but a part of the parameters each, so that what newcomers copy has none:
     * {@link #deal} brings each what it holds.
     */
    default boolean dealsOut() {
        return false;
    }

    /** Whether a member holds the state that all go on from. */
    enum Standing {
        /** It does. */
        CURRENT,
        /** It has to fetch it. */
        BEHIND
    }

    /**
     * Brings to this member what of the parameters it holds in the group that has formed; all call
     * it, before anything else is exchanged.
     *
     * @param tag of the last step
     * @param standing whether this member has not taken that step
     * @return the fault that ended the group, or null
     */
    default @Nullable Fault deal(StepTag tag, Standing standing) {
        return null;
    }

    /** Whether this member has all parameters as they are now. */
    default boolean hasAll() {
        return true;
    }

    /** Whether a rank of the group has all parameters after each step. */
    default boolean hasAll(int rank) {
        return true;
    }

    /**
     * The teams of a group that take inner steps as one, so that all of a team have as many in a
     * round: each rank by itself, unless a strategy says otherwise.
     */
    default SiteMap teams(Group group) {
        return SiteMap.apart(group.size());
    }

    /**
     * What the sum of what all give will be divided by, so far as all know it before: what codecs
     * leave out of it is kept as a mean. Equal on all members.
     */
    default double unit(Part part) {
        return part.unit();
    }

    /**
     * Computes this worker's part of a step, and lets every bucket leave with what all are to sum.
     *
     * @return what its samples lost; null if the group ended meanwhile, and not everything was
     *     handed over
     */
    @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets);

    /**
     * What is done while the sums of the step travel, between {@link #compute} and {@link #update}:
     * nothing, or some of the next step's part, which {@link #compute} goes on with then. It is
     * lost where the step is discarded, or another group forms.
     *
     * @param next the part of the step after, if the group may take it; else null
     * @param feed gives the batches of that step now
     * @return false if the group ended meanwhile, and not everything was handed over
     */
    default boolean whileSummed(Supplier<@Nullable Part> next, Feed feed, Buckets buckets) {
        return true;
    }

    /**
     * Whether what a codec leaves out of a step is sent with the next one. Not where the next
     * change tells of it anyway.
     */
    default boolean sendsRestLater() {
        return true;
    }

    /**
     * Whether the running statistics of this worker's model go on as they are from step to step,
     * and not with what all have in common.
     */
    default boolean keepsOwnStatistics() {
        return false;
    }

    /** What is to be applied of a step that all members took, ready to run. */
    Update update(Part part, Tail tail);

    /** Why there is nothing left to learn after the last update; null while there is. */
    default @Nullable String done() {
        return null;
    }

    /** The step was discarded: what {@link #compute} did to the learner is undone. */
    void discarded();

    /**
     * What belongs to the state of the run beside parameters and statistics: equal on all members
     * at a border, copied to newcomers, saved with a checkpoint.
     */
    List<NamedSpan> state();

    /**
     * Makes an array of {@link #state()} so long, for what comes from another member or from a
     * checkpoint; what it held is lost. Only where lengths may differ.
     */
    default void resize(String name, long bytes) {}

    /** All of {@link #state()} has been written from outside. */
    default void restored() {}

    /**
     * Whether {@link #compute} waits for other members in ways of its own, which the exchange does
     * not know: what this thread did not run then is waiting.
     */
    default boolean waitsByItself() {
        return false;
    }

    /** What helps against a loss that is not finite, as a sentence without its end. */
    default String remedy() {
        return "Lower train.optimizer.learning_rate or set train.clip_norm, and train anew";
    }

    /** Whether batches of samples are prepared for its steps. */
    default boolean takesBatches() {
        return true;
    }

    /**
     * Why {@link #compute} gave nothing, or what {@link #update} gave must not be applied, where it
     * is for another reason than the group's end; null for none.
     */
    default @Nullable Fault fault() {
        return null;
    }

    /**
     * Moments of the optimizer that moves this worker's parameters in each batch, whether they
     * belong to the state of the run or to this worker alone; none where there is no such
     * optimizer.
     */
    default List<NamedSpan> moments() {
        return List.of();
    }

    /** Whether it may begin with the moments of another one, if its group goes on with it. */
    default boolean takesMomentsOf(Strategy before) {
        return false;
    }

    /** Native memory that it holds beside the learner's. */
    long bytes();

    /** Frees native memory; before the learner does. */
    @Override
    void close();
}
