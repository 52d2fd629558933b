package dev.medley.worker;

import dev.medley.base.Member;
import dev.medley.base.TrialScope;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Holds what a worker does with its life: it has been prepared when it is there, takes part in
 * groups, and keeps what it holds when it leaves.
 *
 * <p>Thread: the worker's.
 */
public interface Task extends AutoCloseable {
    /** Prepares a task, which may take long. */
    @FunctionalInterface
    interface Opener {
        /**
         * Loads what the work needs.
         *
         * @throws dev.medley.base.ConfigException if the user's input is at fault
         */
        Task open(TaskStart start);

        /** Completes the sentence "this worker ran out of memory; ...". */
        default String toSaveMemory() {
            return "use fewer workers";
        }
    }

    /**
     * What others need to know of a worker that is prepared.
     *
     * @param member how peers reach it
     * @param progress of what it holds
     * @param tried how long work takes here, where plans depend on that
     * @param shardsHere shards of the data that it need not fetch
     */
    record Readiness(
            Member member, Progress progress, List<Message.Tried> tried, List<Integer> shardsHere) {
        public Readiness {
            tried = List.copyOf(tried);
            shardsHere = List.copyOf(shardsHere);
        }
    }

    /**
     * Finds out what others need to know.
     *
     * @param trial how thoroughly to try how fast the work is here
     * @param trying told how many samples are tried at once, before they are
     */
    Readiness ready(TrialScope trial, IntConsumer trying);

    /** Takes part in a group until it ends, and tells the coordinator how it ended. */
    void take(View view);

    /** How long so many samples take by itself; outside any group. */
    Message.Tried tryAlone(int samples);

    /** Leaves: what has been begun is ended. */
    void leave();

    /** Leaves after it has kept what it holds: this worker is asked for it. */
    void saveAndLeave();

    /** Leaves without a coordinator: what it holds is kept where a resumed run finds it. */
    void leaveOrphaned();

    @Override
    void close();
}
