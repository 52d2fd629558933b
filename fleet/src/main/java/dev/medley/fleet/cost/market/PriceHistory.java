package dev.medley.fleet.cost.market;

import static dev.medley.base.ConfigException.check;

import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Collects spot prices by zone from answers of AWS to {@code describe-spot-price-history}. Answers
 * may overlap; each says {@code AvailabilityZone, InstanceType, SpotPrice, Timestamp}.
 */
final class PriceHistory {
    private final String type;
    private final Map<String, TreeMap<Double, Double>> byZone = new TreeMap<>();
    private final TreeSet<String> types = new TreeSet<>();

    /** Of one type of machine; of all, if it is empty. */
    PriceHistory(String type) {
        this.type = type;
    }

    /** Whether {@code tree} is such an answer. */
    static boolean is(JsonNode tree) {
        return tree.path("SpotPriceHistory").isArray();
    }

    void add(Path file, JsonNode tree) {
        for (JsonNode entry : tree.path("SpotPriceHistory")) {
            String found = entry.path("InstanceType").asString("");
            types.add(found);
            if (type.isEmpty() || type.equals(found)) {
                byZone.computeIfAbsent(
                                entry.path("AvailabilityZone").asString(""), z -> new TreeMap<>())
                        .put(seconds(file, entry), price(file, entry));
            }
        }
    }

    /** Changes of price by zone, of one type of machine. */
    Map<String, TreeMap<Double, Double>> prices() {
        check(
                !type.isEmpty() || types.size() <= 1,
                "the logs hold prices of %s: say one with --type",
                String.join(", ", types));
        check(
                types.isEmpty() || type.isEmpty() || types.contains(type),
                "the logs hold no prices of %s, but of %s",
                type,
                String.join(", ", types));
        return byZone;
    }

    private static double seconds(Path file, JsonNode entry) {
        String text = entry.path("Timestamp").asString("");
        try {
            return Instant.parse(text).getEpochSecond();
        } catch (DateTimeParseException e) {
            throw new dev.medley.base.ConfigException(
                    "%s: Timestamp is '%s'; as in 2020-03-23T16:09:42Z".formatted(file, text), e);
        }
    }

    /** A price that is missing or 0 would make everything free. */
    private static double price(Path file, JsonNode entry) {
        String text = entry.path("SpotPrice").asString("");
        boolean isPrice = text.matches("\\d+(\\.\\d+)?") && Double.parseDouble(text) > 0;
        check(isPrice, "%s: SpotPrice is '%s'; a number above 0", file, text);
        return Double.parseDouble(text);
    }
}
