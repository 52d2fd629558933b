package dev.medley.fleet.simulation;

import java.util.Arrays;

/** Keeps the sizes of the jobs that ended last. */
final class EndedSizes {
    private final double[] kept;
    private int count;
    private double[] newest = new double[0];
    private boolean isChanged;

    EndedSizes(int most) {
        kept = new double[most];
    }

    void add(double sizeS) {
        if (count == kept.length) {
            System.arraycopy(kept, 1, kept, 0, --count);
        }
        kept[count++] = sizeS;
        isChanged = true;
    }

    /** The newest is last; the same array until a job ends. */
    double[] newest() {
        if (isChanged) {
            newest = Arrays.copyOf(kept, count);
            isChanged = false;
        }
        return newest;
    }
}
