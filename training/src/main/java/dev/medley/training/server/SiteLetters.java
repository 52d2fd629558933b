package dev.medley.training.server;

/**
 * Numbers the kinds of letters between servers of several sites, each with the cell that it is
 * about.
 */
final class SiteLetters {
    /** Gradients that a site has merged. */
    static final int FORWARD = 3;

    /** The same through the codec. */
    static final int CODED = 4;

    /** Parameters, in answer to one of these. */
    static final int FRESH = 5;

    private static final int KINDS = 1 << 8;

    private SiteLetters() {}

    static int of(int kind, int cell) {
        return kind + cell * KINDS;
    }

    static int kind(int said) {
        return said % KINDS;
    }

    static int cell(int said) {
        return said / KINDS;
    }
}
