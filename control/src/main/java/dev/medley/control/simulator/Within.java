package dev.medley.control.simulator;

import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/** What workers do within a round beside computing, before the rest leaves at its end. */
interface Within {
    /**
     * A worker's part of a round.
     *
     * @param rank of the worker
     * @param samples that it computes
     * @param steps in which it does
     * @param stepNs draws what the next of them takes to compute
     */
    record Turn(int rank, int samples, int steps, DoubleSupplier stepNs) {}

    /** A rank has the sum of a slice. */
    default void summed(int rank, int slice) {}

    /** A round begins; nothing of the one before is left. */
    void begin();

    /**
     * A worker takes its turn from now on.
     *
     * @param done called once, when its change may leave, with the nanoseconds in which it computed
     */
    void take(Turn turn, DoubleConsumer done);
}
