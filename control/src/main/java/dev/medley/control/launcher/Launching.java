package dev.medley.control.launcher;

import dev.medley.base.job.JobTerms;

/** Says how the workers of a run are started. */
public sealed interface Launching {
    /** As a launcher starts them, at once. */
    record ByLauncher(Launcher launcher) implements Launching {}

    /** On machines that agents offer, one on each. */
    record OnAgents(Terms terms, Needs needs) implements Launching {}

    /**
     * What an agent has to fulfil and is told.
     *
     * @param version the build of Medley that it has to be
     * @param job of the run; a machine that serves another alone is refused
     * @param heartbeatNs between two signs of life
     * @param peerTimeoutNs silence after which it counts as lost
     */
    record Terms(String version, JobTerms job, long heartbeatNs, long peerTimeoutNs) {}

    /** What workers need that are started on other machines. */
    @FunctionalInterface
    interface Needs {
        /**
         * Of the worker of that launch, which begins now: a JSON-able value that agents know. Said
         * at once, since others wait meanwhile.
         */
        Object of(int launch);

        /** The machine of that launch has all of it, or does not come for it any more. */
        default void settled(int launch) {}
    }
}
