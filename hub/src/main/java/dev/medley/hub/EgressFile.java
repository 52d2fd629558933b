package dev.medley.hub;

import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.YamlFile;
import dev.medley.fleet.cost.EgressPrices;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Reads what it costs to bring data from the hub's site to others, in YAML. Whatever is wrong with
 * it is one {@link dev.medley.base.ConfigException} with a line {@code file:line:column: message}
 * for each error.
 *
 * <pre>
 * home: rack                # the site of the hub's machine, where data lie
 * egress_per_gb:            # a GB from there to a site, in the fleet's currency
 *   aws-us-east-1: 0.09
 *   gcp-europe-west4: 0.12
 * </pre>
 */
public final class EgressFile {
    private EgressFile() {}

    /** Reads a file, UTF-8. */
    public static EgressPrices read(Path file) {
        YamlFile yaml = YamlFile.read(file, "egress prices", "", List.of("home", "egress_per_gb"));
        JsonNode home = yaml.root().path("home");
        if (!home.isString() || home.asString().isBlank()) {
            yaml.complain(Pointer.ROOT, "home", "home: the site of the hub's machine, a word");
        }
        JsonNode prices = yaml.root().path("egress_per_gb");
        String pointer = Pointer.child(Pointer.ROOT, "egress_per_gb");
        if (!prices.isObject() || prices.isEmpty()) {
            yaml.complain(
                    Pointer.ROOT,
                    "egress_per_gb",
                    "egress_per_gb: a price for each site, such as aws-us-east-1: 0.09");
        }
        Map<String, Double> perGb = new LinkedHashMap<>();
        for (String site : prices.propertyNames()) {
            JsonNode price = prices.path(site);
            boolean isPrice =
                    price.isNumber()
                            && price.doubleValue() >= 0
                            && Double.isFinite(price.doubleValue());
            if (isPrice) {
                perGb.put(site, price.doubleValue());
            } else {
                yaml.complain(pointer, site, site + ": a price of 0 or more for a GB");
            }
        }
        yaml.throwIfAny();
        return new EgressPrices(home.asString(), perGb);
    }
}
