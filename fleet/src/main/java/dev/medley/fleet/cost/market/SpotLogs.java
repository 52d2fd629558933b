package dev.medley.fleet.cost.market;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Reads the spot logs in a folder and those below it, or one file: price histories of AWS and
 * traces by tick ({@code .json}), and logs of availability ({@code .out}).
 *
 * <p>A zone of which prices are known, and availability is not, counts as always up. A zone whose
 * on-demand or spot price nobody says is refused: no price is ever taken for 0.
 */
public final class SpotLogs {
    private final LogTerms terms;
    private final PriceHistory prices;
    private final AvailabilityLog availability;
    private final List<SpotSeries> zones = new ArrayList<>();

    private SpotLogs(LogTerms terms) {
        this.terms = terms;
        this.prices = new PriceHistory(terms.type());
        this.availability = new AvailabilityLog(terms.gpus());
    }

    /** The market of which {@code place} holds the logs, named after it. */
    public static SpotMarket read(Path place, LogTerms terms) {
        SpotLogs logs = new SpotLogs(terms);
        try (Stream<Path> walk = Files.walk(place)) {
            for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
                logs.add(file);
            }
        } catch (IOException e) {
            throw new ConfigException("%s cannot be read: %s".formatted(place, e), e);
        }
        logs.join();
        check(
                !logs.zones.isEmpty(),
                "%s: there is no spot log in it: neither prices (.json) nor availability (.out)",
                place);
        return new SpotMarket(place.normalize().getFileName() + "", logs.zones);
    }

    private void add(Path file) throws IOException {
        String name = file.toString();
        if (name.endsWith(".json")) {
            JsonNode tree = SpotTrace.tree(file);
            if (SpotTrace.is(tree)) {
                zones.add(SpotTrace.read(file, tree, terms));
            } else if (PriceHistory.is(tree)) {
                prices.add(file, tree);
            }
        } else if (name.endsWith(".out")) {
            availability.add(Files.readAllLines(file));
        }
    }

    private void join() {
        Map<String, TreeMap<Double, Double>> priced = prices.prices();
        Map<String, TreeMap<Double, Double>> seen = availability.seen();
        Set<String> names = new HashSet<>(priced.keySet());
        names.addAll(seen.keySet());
        for (String zone : names) {
            TreeMap<Double, Double> price = priced.get(zone);
            TreeMap<Double, Double> up = seen.get(zone);
            if (price != null) {
                zones.add(priced(zone, price, up));
            } else if (up != null) {
                check(
                        terms.spotPerHour() > 0,
                        "%s: no spot price is known for it; say one with --spot-price",
                        zone);
                zones.add(
                        new SpotSeries(
                                zone,
                                terms.onDemandPerHour(),
                                StepSeries.constant(up.firstKey(), terms.spotPerHour()),
                                StepSeries.of(up),
                                up.lastKey()));
            }
        }
    }

    private SpotSeries priced(
            String zone,
            TreeMap<Double, Double> price,
            @org.jspecify.annotations.Nullable TreeMap<Double, Double> up) {
        StepSeries series = StepSeries.of(price);
        return up == null
                ? new SpotSeries(
                        zone,
                        terms.onDemandPerHour(),
                        series,
                        StepSeries.constant(price.firstKey(), 1),
                        price.lastKey())
                : new SpotSeries(
                        zone,
                        terms.onDemandPerHour(),
                        series,
                        StepSeries.of(up),
                        Math.min(up.lastKey(), price.lastKey()));
    }
}
