package dev.medley.loop.monitor;

/** Says over which time false alarms are bounded. Both hold however often one looks. */
public enum Promise {
    /**
     * The chance of a false alarm ever is at most the level. A change after n quiet windows costs
     * about 2 ln n more evidence than one at the start.
     */
    EVER {
        @Override
        double weight(long window) {
            return 1.0 / (window * (window + 1.0));
        }

        @Override
        double rest(long windows) {
            return 1.0 / (windows + 1.0);
        }
    },
    /**
     * The chance of a false alarm within the first n windows is at most n times the level, so that
     * the first comes after half of 1/level windows or more on average. A change after a long quiet
     * time is found as soon as one at the start.
     */
    PER_WINDOW {
        @Override
        double weight(long window) {
            return 1;
        }

        @Override
        double rest(long windows) {
            return 0;
        }
    };

    /** What is put on a change that begins with the n-th window, from 1. */
    abstract double weight(long window);

    /** What is kept for changes after {@code windows}. */
    abstract double rest(long windows);
}
