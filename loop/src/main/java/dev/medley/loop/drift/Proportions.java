package dev.medley.loop.drift;

import dev.medley.base.ConfigException;
import org.hipparchus.special.Erf;

/** Tests whether two shares are equal: the z-test with one pooled share, two-sided. */
public final class Proportions {
    private Proportions() {}

    /**
     * Shares of {@code hits} among {@code size}; the statistic is above 0 where the reference has
     * more. Where all or none are hits on both sides, nothing speaks against equal shares.
     */
    public static Significance test(
            long referenceHits, long referenceSize, long currentHits, long currentSize) {
        requireShare(referenceHits, referenceSize, "reference");
        requireShare(currentHits, currentSize, "current sample");
        double first = (double) referenceHits / referenceSize;
        double second = (double) currentHits / currentSize;
        double pooled = (double) (referenceHits + currentHits) / (referenceSize + currentSize);
        if (pooled <= 0 || pooled >= 1) {
            return new Significance(0, 1);
        }
        double variance = pooled * (1 - pooled) * (1.0 / referenceSize + 1.0 / currentSize);
        double z = (first - second) / Math.sqrt(variance);
        return new Significance(z, Erf.erfc(Math.abs(z) / Math.sqrt(2)));
    }

    private static void requireShare(long hits, long size, String whose) {
        ConfigException.check(size > 0, "the %s has no rows: there is no share to compare", whose);
        ConfigException.check(
                hits >= 0 && hits <= size,
                "the %s has %d hits among %d rows: give a count between 0 and the rows",
                whose,
                hits,
                size);
    }
}
