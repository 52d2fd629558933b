package dev.medley.cli.doctor;

/**
 * The result of one check.
 *
 * @param check its name
 * @param verdict whether it is good
 * @param found what there is, in words
 * @param remedy what to do about it; empty where all is well
 */
public record Finding(String check, Verdict verdict, String found, String remedy) {
    /** How good it is. */
    public enum Verdict {
        GOOD,
        /** Training works, but slowly or with less room than usual. */
        POOR,
        /** Training will not work. */
        BAD
    }

    static Finding good(String check, String found) {
        return new Finding(check, Verdict.GOOD, found, "");
    }

    static Finding poor(String check, String found, String remedy) {
        return new Finding(check, Verdict.POOR, found, remedy);
    }

    static Finding bad(String check, String found, String remedy) {
        return new Finding(check, Verdict.BAD, found, remedy);
    }
}
