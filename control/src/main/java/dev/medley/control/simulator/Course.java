package dev.medley.control.simulator;

/** Sums one slice. */
interface Course {
    /** A rank takes part from now on. */
    void enter(int rank);
}
