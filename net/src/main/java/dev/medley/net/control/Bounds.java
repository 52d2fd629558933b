package dev.medley.net.control;

import dev.medley.net.membership.Progress;

/**
 * Checks the values in a message, whoever wrote it. A value that is out of bounds makes the whole
 * message refused.
 */
final class Bounds {
    /**
     * Nanoseconds of a hundred days, bytes of nine million GB: exact as a double, and a thousand of
     * them can be added up.
     */
    private static final long MOST = 1L << 53;

    /** So many steps times the samples of each can still be counted. */
    private static final long MOST_STEPS = 1L << 40;

    private Bounds() {}

    static void atLeast(String what, long value, long least) {
        check(value >= least, what, value, "at least " + least);
    }

    static void atMost(String what, long value, long most) {
        check(value <= most, what, value, "at most " + most);
    }

    /** A time, bytes, samples: not below zero, and small enough to reckon with. */
    static void amount(String what, long value) {
        atLeast(what, value, 0);
        atMost(what, value, MOST);
    }

    /** What may be a little below zero, as a difference of clocks, and is reckoned with. */
    static void difference(String what, long value) {
        atLeast(what, value, -MOST);
        atMost(what, value, MOST);
    }

    /** The number of a step. */
    static void stepNumber(String what, long value, long least) {
        atLeast(what, value, least);
        atMost(what, value, MOST_STEPS);
    }

    /** Names end up in logs and on terminals: one line, without what steers those. */
    static void text(String what, String value, int mostCharacters) {
        atMost("characters of " + what, value.length(), mostCharacters);
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(what + " has control characters in it");
        }
    }

    static void sound(Progress progress) {
        stepNumber("progress.step", progress.step(), -1);
    }

    private static void check(boolean isSo, String what, long value, String wanted) {
        if (!isSo) {
            throw new IllegalArgumentException("%s=%d: %s".formatted(what, value, wanted));
        }
    }
}
