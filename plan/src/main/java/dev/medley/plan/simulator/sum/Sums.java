package dev.medley.plan.simulator.sum;

/** Sums the slices of a step over all ranks, in the order in which each rank hands them over. */
public interface Sums {
    /** Where what was summed is reported. */
    interface Listener {
        /** A rank has the sum of a slice. */
        void summed(int rank, int slice);
    }

    /** A step begins; nothing of the one before is left. */
    void begin();

    /** A rank hands over its next slice, now. */
    void handOver(int rank, int slice);

    /**
     * A slice of a step.
     *
     * @param bytes of it
     * @param isCoded whether it goes through the codec between sites
     */
    record Slice(double bytes, boolean isCoded) {}
}
