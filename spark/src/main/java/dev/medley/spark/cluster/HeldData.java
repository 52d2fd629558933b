package dev.medley.spark.cluster;

import java.io.Serializable;
import org.apache.spark.TaskContext;

/** Gives the workers of an executor the rows that its application holds. */
public interface HeldData extends Serializable {
    /** The name of the set in assignments. */
    String name();

    /**
     * From now on workers of this process find the rows; called by each task.
     *
     * @param task under which what was lost is computed anew, on a thread of its own
     */
    void enter(TaskContext task);

    /** A task of this process does not use them any more. */
    void leave();
}
