package dev.medley.api.job;

import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.YamlFile;
import dev.medley.base.ConfigException;
import dev.medley.profile.cluster.Prices;
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
    private static final List<String> KEYS = List.of("currency", "machines", "egress_per_gb");

    private final YamlFile file;

    private PriceFile(YamlFile file) {
        this.file = file;
    }

    /** Reads a file of prices, UTF-8. */
    public static Prices read(Path file) {
        YamlFile yaml = YamlFile.read(file, "prices", "", KEYS);
        Prices prices = new PriceFile(yaml).prices();
        yaml.throwIfAny();
        return prices;
    }

    private Prices prices() {
        JsonNode root = file.root();
        String currency = root.path("currency").asString("");
        if (currency.isBlank()) {
            complain("currency", "currency: which one is meant? add for example currency: EUR");
        }
        Map<String, Double> perHour = new LinkedHashMap<>();
        JsonNode machines = root.path("machines");
        if (!machines.isObject()) {
            complain("machines", "machines: a price an hour for each type, as in {small: 0.04}");
        }
        String pointer = Pointer.child(Pointer.ROOT, "machines");
        for (String type : machines.propertyNames()) {
            perHour.put(type, price(pointer, type, machines.path(type)));
        }
        double egress =
                root.has("egress_per_gb")
                        ? price(Pointer.ROOT, "egress_per_gb", root.path("egress_per_gb"))
                        : 0;
        return new Prices(
                currency.isBlank() ? "?" : currency, perHour, egress, file.placeOf(pointer));
    }

    private double price(String pointer, String key, JsonNode found) {
        if (found.isNumber() && found.doubleValue() >= 0) {
            return found.doubleValue();
        }
        file.complainOfValue(
                pointer,
                key,
                "%s: found %s, expected a number, not below 0"
                        .formatted(Pointer.toPath(Pointer.child(pointer, key)), found));
        return 0;
    }

    private void complain(String key, String message) {
        file.complain(Pointer.ROOT, key, message);
    }
}
