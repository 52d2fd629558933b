package dev.medley.loop.check;

/**
 * The outcome of one check.
 *
 * @param why one sentence with what was found and what was agreed
 */
public record CheckResult(String check, Outcome outcome, String why) {
    /** Whether a check held. */
    public enum Outcome {
        PASSED,
        /** It did not hold, and is one that warns. */
        WARNED,
        /** It did not hold, and rows are not to be used. */
        FAILED,
        /** There was too little to judge by. */
        UNJUDGED
    }
}
