package dev.medley.net.control;

import dev.medley.net.membership.Progress;

/**
 * What values of a message can be, whoever wrote it. One that cannot be is refused with the message
 * that it stands in.
 */
final class Bounds {
    private Bounds() {}

    static void atLeast(String what, long value, long least) {
        check(value >= least, what, value, "at least " + least);
    }

    static void atMost(String what, long value, long most) {
        check(value <= most, what, value, "at most " + most);
    }

    /** Names end up in logs and on terminals: one line, without what steers those. */
    static void text(String what, String value, int mostCharacters) {
        atMost("characters of " + what, value.length(), mostCharacters);
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(what + " has control characters in it");
        }
    }

    static void sound(Progress progress) {
        atLeast("progress.step", progress.step(), -1);
    }

    private static void check(boolean isSo, String what, long value, String wanted) {
        if (!isSo) {
            throw new IllegalArgumentException("%s=%d: %s".formatted(what, value, wanted));
        }
    }
}
