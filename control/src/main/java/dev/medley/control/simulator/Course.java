package dev.medley.control.simulator;

/** How one slice is summed. */
interface Course {
    /** A rank takes part from now on. */
    void enter(int rank);
}
