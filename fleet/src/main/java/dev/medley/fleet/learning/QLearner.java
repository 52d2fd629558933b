package dev.medley.fleet.learning;

/** Learns from transitions which action is best in a state. Belongs to one thread. */
interface QLearner extends AutoCloseable {
    /** The action that it holds for best now. */
    int best(double[] state);

    /** Learns from one more transition. */
    void take(Transition transition);

    /** What has been learnt so far. */
    StateActions learnt();

    @Override
    default void close() {}
}
