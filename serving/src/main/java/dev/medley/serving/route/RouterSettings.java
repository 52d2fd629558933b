package dev.medley.serving.route;

import static dev.medley.base.ConfigException.check;

/**
 * Says how a router probes and what it does of its own accord. The names in brackets are Prequal's.
 *
 * @param probesPerRequest that a request sets off (r_probe)
 * @param poolSize probes that are kept (m)
 * @param probeAgeNs after which a probe says nothing
 * @param surplus by which the pool may shrink in the mean (delta)
 * @param hotQuantile of requests in flight, above which a server is hot (Q_RIF)
 * @param probeGapNs between two probes of one server, however many requests there are
 * @param idleNs after which a server is probed without requests
 * @param probeTimeoutNs for an answer to a probe
 * @param retryRatio retries of one request, in the mean
 */
public record RouterSettings(
        double probesPerRequest,
        int poolSize,
        long probeAgeNs,
        double surplus,
        double hotQuantile,
        long probeGapNs,
        long idleNs,
        long probeTimeoutNs,
        double retryRatio) {
    public RouterSettings {
        check(probesPerRequest > 1, "probes a request %s: more than 1", probesPerRequest);
        check(poolSize >= 1, "probes in the pool %d: 1 or more", poolSize);
        check(
                hotQuantile > 0 && hotQuantile <= 1,
                "hot above the quantile %s: give one above 0, at most 1",
                hotQuantile);
        check(retryRatio >= 0 && retryRatio <= 1, "retries %s: from 0 to 1", retryRatio);
    }

    /** As the paper has it, with bounds for servers that answer in a millisecond. */
    public static RouterSettings usual() {
        return new RouterSettings(
                3,
                16,
                1_000_000_000L,
                1,
                0.84, // 2^-0.25
                2_000_000L,
                200_000_000L,
                1_000_000_000L,
                0.1);
    }

    /**
     * How often one probe may be used: so often that the pool does not run dry (b_reuse in section
     * 4 of the paper, with one probe removed a request). Without bound where the pool has room for
     * all servers, whose probes are replaced by newer ones.
     */
    public double uses(int servers) {
        double grows = (1 - (double) poolSize / servers) * probesPerRequest - 1;
        return servers <= poolSize || grows <= 0
                ? Double.POSITIVE_INFINITY
                : Math.max(1, (1 + surplus) / grows);
    }
}
