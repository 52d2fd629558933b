package dev.medley.plan.simulator.sum;

/** Sums one slice. */
public interface SliceSum {
    /** A rank takes part from now on. */
    void enter(int rank);
}
