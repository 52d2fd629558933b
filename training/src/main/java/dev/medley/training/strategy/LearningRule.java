package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.model.Learner;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves a learner's parameters by the accumulators that all workers have summed: divides by the
 * weight and takes what follows from the mean. From equal parameters, sums and {@link #state()} all
 * members come to equal bits.
 *
 * <p>One owner: the training thread.
 */
public interface LearningRule extends AutoCloseable {
    /** Whose parameters it moves; not its own to close. */
    Learner learner();

    /** A group begins, whose members have nothing in common but the state. */
    default void formed(Group group) {}

    /** The same members go on under another plan. */
    default void continued(Group group) {}

    /**
     * A step begins; before its first micro-batch.
     *
     * @param buckets in which the accumulators will leave
     * @param weight of this worker's samples
     */
    default void begin(Part part, Buckets buckets, DoubleSupplier weight) {}

    /**
     * The accumulators are those of the step's first micro-batch, and others follow.
     *
     * @param weight of its samples
     */
    default void firstTaken(double weight) {}

    /**
     * What is to be applied of a step whose accumulators are summed, ready to run. It moves nothing
     * where no sample has a weight.
     */
    Update update(Part part, Tail tail);

    /** Why there is nothing left to learn, in a sentence; null while there is. */
    default @Nullable String done() {
        return null;
    }

    /** What it remembers from step to step: equal on all members, saved with a checkpoint. */
    List<NamedSpan> state();

    /** Native memory that it holds. */
    long bytes();

    /** Frees native memory; before the learner does. */
    @Override
    void close();
}
