package dev.medley.tenant.quota;

import static dev.medley.base.ConfigException.check;

/**
 * Holds how much a caller may take. {@link Long#MAX_VALUE} is no bound.
 *
 * @param requestsPerMinute of a clock minute
 * @param rowsPerDay of a day in UTC
 * @param bytesPerDay of answers, in a day in UTC
 * @param concurrentReads at the same time
 */
public record QuotaLimits(
        long requestsPerMinute, long rowsPerDay, long bytesPerDay, long concurrentReads) {
    /** Of whom nothing is said. */
    public static final QuotaLimits NONE =
            new QuotaLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    public QuotaLimits {
        check(requestsPerMinute >= 1, "%d requests a minute: give 1 or more", requestsPerMinute);
        check(rowsPerDay >= 0, "%d rows a day: give 0 or more", rowsPerDay);
        check(bytesPerDay >= 0, "%d bytes a day: give 0 or more", bytesPerDay);
        check(concurrentReads >= 1, "%d reads at the same time: give 1 or more", concurrentReads);
    }
}
