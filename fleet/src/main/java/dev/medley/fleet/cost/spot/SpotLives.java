package dev.medley.fleet.cost.spot;

/**
 * Holds what was seen of one zone until now: how long spot machines could be kept, and how long
 * there were none.
 *
 * @param ups lengths of times that ended in which there were some
 * @param downs lengths of times that ended in which there were none
 * @param ageS of the time that goes on
 */
public record SpotLives(Spans ups, Spans downs, double ageS) {
    /**
     * Holds lengths of times, in seconds.
     *
     * @param endedS of each that ended; the first {@code count} are meant
     * @param sumS of all, the one that goes on included
     */
    public record Spans(double[] endedS, int count, double sumS) {
        /**
         * Mean of what is left of one that is {@code ageS} old: of those that grew older, if there
         * are three; else of all, as if one more had just ended (lives without memory).
         */
        double leftS(double ageS) {
            double leftS = 0;
            int older = 0;
            for (int i = 0; i < count; i++) {
                if (endedS[i] > ageS) {
                    older++;
                    leftS += endedS[i] - ageS;
                }
            }
            return older >= 3 ? leftS / older : meanS();
        }

        /** Mean length, as if the one that goes on ended now. */
        double meanS() {
            return sumS / (count + 1);
        }
    }

    /** Seconds for which a machine that is up, or was just started, is expected to live on. */
    double lifeLeftS() {
        return ups.leftS(ageS);
    }

    /** Part of the time in which spot machines could be had; a half before anything was seen. */
    double availability() {
        double seenS = ups.sumS + downs.sumS;
        return seenS == 0 ? 0.5 : ups.sumS / seenS;
    }
}
