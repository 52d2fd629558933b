package dev.medley.fleet.cost.market;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Reads traces of one zone in the form of the public spot traces of Can't Be Late: {@code
 * {"metadata": {"gap_seconds": 600}, "data": [1, 1, 0, ...]}}, where each number says how many
 * machines could be had at a tick.
 *
 * <p>Two further things may be said in it: {@code prices} by tick, and in {@code metadata} {@code
 * spot_price} and {@code on_demand_price} an hour, and {@code start_s} in seconds of the epoch.
 */
final class SpotTrace {
    private SpotTrace() {}

    /** Whether {@code tree} is such a trace. */
    static boolean is(JsonNode tree) {
        return tree.path("data").isArray() && tree.path("metadata").has("gap_seconds");
    }

    /** The series of the zone that the file is named after. */
    static SpotSeries read(Path file, JsonNode tree, LogTerms terms) {
        JsonNode about = tree.path("metadata");
        double gapS = about.path("gap_seconds").asDouble(0);
        check(gapS > 0, "%s: gap_seconds is %s; it is above 0", file, about.path("gap_seconds"));
        double startS = about.path("start_s").asDouble(0);
        TreeMap<Double, Double> up = series(tree.path("data"), startS, gapS);
        check(!up.isEmpty(), "%s: data holds no tick", file);
        up.replaceAll((s, machines) -> machines >= terms.machines() ? 1.0 : 0.0);
        TreeMap<Double, Double> prices = series(tree.path("prices"), startS, gapS);
        double onDemand = about.path("on_demand_price").asDouble(terms.onDemandPerHour());
        if (prices.isEmpty()) {
            double spot = about.path("spot_price").asDouble(terms.spotPerHour());
            check(spot > 0, "%s: no spot price is known for it; say one with --spot-price", file);
            prices.put(startS, spot);
        }
        return new SpotSeries(
                zone(file),
                onDemand,
                StepSeries.of(prices),
                StepSeries.of(up),
                startS + gapS * tree.path("data").size());
    }

    /** Of a file; whatever is no JSON is one clear error. */
    static JsonNode tree(Path file) {
        try {
            return Json.read(file, JsonNode.class);
        } catch (IOException e) {
            throw new dev.medley.base.ConfigException(
                    "%s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static TreeMap<Double, Double> series(JsonNode ticks, double startS, double gapS) {
        TreeMap<Double, Double> series = new TreeMap<>();
        for (int tick = 0; tick < ticks.size(); tick++) {
            series.put(startS + tick * gapS, ticks.get(tick).asDouble());
        }
        return series;
    }

    private static String zone(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("\\.json$", "");
    }
}
