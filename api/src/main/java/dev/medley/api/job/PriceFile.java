package dev.medley.api.job;

import dev.medley.api.yaml.Complaints;
import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.SourcePositions;
import dev.medley.api.yaml.YamlTree;
import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.text.DidYouMean;
import dev.medley.profile.cluster.Prices;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Reads a file of prices, in YAML. Whatever is wrong with it is one {@link ConfigException} with a
 * line {@code file:line:column: message} for each error.
 *
 * <pre>
 * currency: EUR
 * machines: {small: 0.04, large: 0.17}   # an hour, by machine type
 * egress_per_gb: 0.02                    # that leaves a site; 0 if not given
 * </pre>
 */
public final class PriceFile {
    private static final int LARGEST_BYTES = 1 << 20;
    private static final List<String> KEYS = List.of("currency", "machines", "egress_per_gb");

    private final JsonNode root;
    private final SourcePositions places;
    private final Complaints complaints;

    private PriceFile(JsonNode root, SourcePositions places, Complaints complaints) {
        this.root = root;
        this.places = places;
        this.complaints = complaints;
    }

    /** Reads a file of prices, UTF-8. */
    public static Prices read(Path file) {
        try {
            return parse(file.toString(), NamedFile.text(file, LARGEST_BYTES));
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": there is no such file of prices", e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Reads prices from a text; {@code name} is for messages. */
    static Prices parse(String name, String text) {
        Complaints complaints = new Complaints(name);
        SourcePositions places = new SourcePositions();
        JsonNode tree = YamlTree.ofFile(text, places, complaints);
        complaints.throwIfAny();
        if (tree == null || !tree.isObject()) {
            throw new ConfigException(
                    name + ":1:1: a mapping with the keys " + String.join(", ", KEYS));
        }
        Prices prices = new PriceFile(tree, places, complaints).prices(name);
        complaints.throwIfAny();
        return prices;
    }

    private Prices prices(String name) {
        for (String key : root.propertyNames()) {
            if (!KEYS.contains(key)) {
                complaints.add(
                        places.ofKey(Pointer.child(Pointer.ROOT, key)),
                        "%s is no key of prices; %s".formatted(key, hint(key)));
            }
        }
        String currency = root.path("currency").asString("");
        if (currency.isBlank()) {
            complain("currency", "currency: which one is meant? add for example currency: EUR");
        }
        Map<String, Double> perHour = new LinkedHashMap<>();
        String machines = Pointer.child(Pointer.ROOT, "machines");
        if (!root.path("machines").isObject()) {
            complain("machines", "machines: a price an hour for each type, as in {small: 0.04}");
        }
        root.path("machines")
                .propertyStream()
                .forEach(
                        e ->
                                perHour.put(
                                        e.getKey(),
                                        price(Pointer.child(machines, e.getKey()), e.getValue())));
        double egress =
                root.has("egress_per_gb")
                        ? price(
                                Pointer.child(Pointer.ROOT, "egress_per_gb"),
                                root.path("egress_per_gb"))
                        : 0;
        String where = places.ofKey(machines).describe(name);
        return new Prices(currency.isBlank() ? "?" : currency, perHour, egress, where);
    }

    private double price(String pointer, JsonNode found) {
        if (found.isNumber() && found.doubleValue() >= 0) {
            return found.doubleValue();
        }
        complaints.add(
                places.ofValue(pointer),
                "%s: found %s, expected a number, not below 0"
                        .formatted(Pointer.toPath(pointer), found));
        return 0;
    }

    private void complain(String key, String message) {
        complaints.add(places.ofKey(Pointer.child(Pointer.ROOT, key)), message);
    }

    private static String hint(String key) {
        return DidYouMean.of(key, KEYS)
                .map("did you mean %s?"::formatted)
                .orElse("it has " + String.join(", ", KEYS));
    }
}
