package dev.medley.plan.simulator.fabric;

import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/** Simulates what workers do within a round beside computing, before the rest leaves at its end. */
public interface RoundActivity {
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

    /** The same members form a group anew, between two rounds: what is ahead is dropped. */
    default void formed() {}

    /** A round begins with these shares, by rank; nothing of the one before is under way. */
    void begin(List<Integer> shares);

    /**
     * A worker takes its turn from now on.
     *
     * @param done called once, when its change may leave, with the nanoseconds in which it computed
     */
    void take(Turn turn, DoubleConsumer done);

    /** All have all sums of the round, and nothing is under way. */
    default void end() {}

    /** When a rank may go on to the next round at the earliest; 0 for when it has all sums. */
    default double freeNs(int rank) {
        return 0;
    }

    /** Samples that a rank took in the round, of which {@code share} was its own. */
    default int taken(int rank, int share) {
        return share;
    }

    /** Samples of rounds that have ended which no sum has yet. */
    default long behind() {
        return 0;
    }

    /** Samples in the sum of the round that has ended, which began with {@code ofShares}. */
    default double summed(double ofShares) {
        return ofShares;
    }
}
