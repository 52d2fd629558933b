package dev.medley.base.round;

import java.util.Locale;

/**
 * A decision on whether a worker that is not done begins another batch of its round. It is a pure
 * function of the round's progress.
 *
 * @param goesOn whether it begins one; else it hands over what it has done
 * @param why one sentence
 */
public record Grace(boolean goesOn, String why) {
    /**
     * Decides: the quorum is not done yet, or what is left of the grace is enough for a batch.
     *
     * @param done workers that are done
     * @param quorum workers that have to be, from 1 to {@code size}
     * @param size of the group
     * @param sinceNs time since the quorum was done; below 0 before
     * @param graceNs for which the others may go on then
     * @param batchNs what this worker's last batch took; 0 before the first
     */
    public static Grace decide(
            int done, int quorum, int size, long sinceNs, long graceNs, long batchNs) {
        if (done < quorum) {
            return new Grace(true, say("%d of %d are done, the quorum is %d", done, size, quorum));
        }
        long leftNs = graceNs - Math.max(0, sinceNs);
        boolean fits = leftNs > 0 && batchNs <= leftNs;
        String what = fits ? "a batch of %.3f s fits in" : "a batch of %.3f s does not fit in";
        return new Grace(
                fits,
                say(
                        "%d of %d are done, and " + what + " the %.3f s that are left of the grace",
                        done,
                        size,
                        batchNs / 1e9,
                        Math.max(0, leftNs) / 1e9));
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
