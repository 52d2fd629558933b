package dev.medley.fleet.cost;

import dev.medley.base.ConfigException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds what it costs to bring a job's data from where they lie to another site.
 *
 * @param home the site where the hub's machine, and so the data of its jobs, are
 * @param perGb for 1e9 bytes that go from there to a site, in the fleet's currency
 */
public record EgressPrices(String home, Map<String, Double> perGb) {
    private static final double BYTES_PER_GB = 1e9;

    /** Nobody said a price: nothing is weighed, and nothing is said. */
    public static final EgressPrices NONE = new EgressPrices("", Map.of());

    public EgressPrices {
        perGb = Map.copyOf(perGb);
        perGb.forEach(
                (site, price) ->
                        ConfigException.check(
                                price >= 0 && price < Double.POSITIVE_INFINITY,
                                "egress to %s costs %s a GB; give a price of 0 or more",
                                site,
                                price));
    }

    /** Whether there are any. */
    public boolean areKnown() {
        return !perGb.isEmpty();
    }

    /** Whether the price of a site is said, or none is due. */
    public boolean isKnown(String site) {
        return site.equals(home) || perGb.containsKey(site);
    }

    /**
     * What so many bytes cost on their way to a site. A site whose price nobody said counts as the
     * dearest one: a price that is not there is never taken for 0.
     */
    public double of(long bytes, String site) {
        if (site.equals(home) || perGb.isEmpty()) {
            return 0;
        }
        double dearest = new TreeMap<>(perGb).values().stream().reduce(0.0, Math::max);
        return bytes / BYTES_PER_GB * perGb.getOrDefault(site, dearest);
    }
}
