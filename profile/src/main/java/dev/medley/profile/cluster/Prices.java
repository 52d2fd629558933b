package dev.medley.profile.cluster;

import static dev.medley.base.ConfigException.check;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The prices of machines and traffic.
 *
 * @param currency for people, as in EUR; nothing is converted
 * @param perHour of a machine, by its type ({@link Machine#type})
 * @param egressPerGb for 1e9 bytes that leave a site for another one; nothing is paid inside a site
 * @param where prices of machines stand, for messages: a place in a file
 */
public record Prices(
        String currency, Map<String, Double> perHour, double egressPerGb, String where) {
    private static final double BYTES_PER_GB = 1e9;
    private static final double SECONDS_PER_HOUR = 3600;

    public Prices {
        perHour = Map.copyOf(perHour);
        check(!currency.isBlank(), "prices: no currency; write for example currency: EUR");
        perHour.forEach(
                (type, price) ->
                        check(
                                price >= 0 && Double.isFinite(price),
                                "prices: %s an hour for a machine of type %s: not below 0",
                                price,
                                type));
        check(
                egressPerGb >= 0 && Double.isFinite(egressPerGb),
                "prices: egress_per_gb=%s: not below 0",
                egressPerGb);
    }

    /** Prices that stand in no file of their own. */
    public Prices(String currency, Map<String, Double> perHour, double egressPerGb) {
        this(currency, perHour, egressPerGb, "prices");
    }

    /**
     * Prices that were said, or else those of the cluster. A machine's own price stays what it is,
     * so both have to be in one currency.
     */
    public static @Nullable Prices chosen(@Nullable Prices said, @Nullable Prices ofCluster) {
        check(
                said == null || ofCluster == null || said.currency.equals(ofCluster.currency),
                "prices in %s, but those of the cluster are in %s: nothing is converted; leave out"
                        + " one of them",
                said == null ? "" : said.currency,
                ofCluster == null ? "" : ofCluster.currency);
        return said == null ? ofCluster : said;
    }

    /**
     * Complains about prices with holes: a machine that has no price of its own and whose type has
     * none either. Names all of them.
     */
    public void requireFor(List<Machine> machines) {
        TreeSet<String> missing = new TreeSet<>();
        for (Machine machine : machines) {
            if (machine.pricePerHour() == null && !perHour.containsKey(machine.type())) {
                missing.add(machine.type());
            }
        }
        check(
                missing.isEmpty(),
                "%s: no price for machines of type %s; there are those of %s: add the missing ones",
                where,
                String.join(", ", missing),
                perHour.isEmpty() ? "no type" : String.join(", ", new TreeMap<>(perHour).keySet()));
    }

    /** What a machine costs an hour; its own price comes before that of its type. */
    public double perHour(Machine machine) {
        Double own = machine.pricePerHour();
        if (own != null) {
            return own;
        }
        requireFor(List.of(machine));
        return perHour.getOrDefault(machine.type(), 0.0);
    }

    /**
     * What so many seconds of these machines and so many bytes between their sites cost.
     *
     * @throws dev.medley.base.ConfigException if a machine has no price
     */
    public double of(List<Machine> machines, double seconds, double bytesBetweenSites) {
        requireFor(machines);
        double anHour = machines.stream().mapToDouble(this::perHour).sum();
        return anHour * seconds / SECONDS_PER_HOUR + egressPerGb * bytesBetweenSites / BYTES_PER_GB;
    }
}
