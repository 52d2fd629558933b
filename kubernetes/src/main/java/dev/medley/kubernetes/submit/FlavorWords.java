package dev.medley.kubernetes.submit;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.kubernetes.resource.Flavor;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a kind of machines from a word of the command line: gpu,min=1,max=4,gpu=1. */
public final class FlavorWords {
    private static final String FORM =
            "give a name and what it has, as in cpu,min=2,max=8,cpu=4,memory=8Gi,gpu=1,site=east,"
                    + "node.disk=ssd";
    private static final String GPU = "nvidia.com/gpu";

    private FlavorWords() {}

    /**
     * A kind of machines.
     *
     * @throws ConfigException if the words cannot be read
     */
    public static Flavor parse(String words) {
        String[] parts = words.split(",", -1);
        check(
                parts[0].matches("[a-z]([-a-z0-9]{0,13}[a-z0-9])?"),
                "--flavor %s: its name is of a-z, 0-9 and -, 15 characters at most; %s",
                words,
                FORM);
        Map<String, Quantity> room = new LinkedHashMap<>();
        Map<String, String> nodes = new LinkedHashMap<>();
        int min = 1;
        int max = 0;
        String site = null;
        for (int i = 1; i < parts.length; i++) {
            int at = parts[i].indexOf('=');
            check(at > 0, "--flavor %s: '%s' has no value; %s", words, parts[i], FORM);
            String key = parts[i].substring(0, at);
            String value = parts[i].substring(at + 1);
            switch (key) {
                case "min" -> min = number(words, value);
                case "max" -> max = number(words, value);
                case "site" -> site = value;
                case "cpu", "memory" -> room.put(key, quantity(words, value));
                case "gpu" -> room.put(GPU, quantity(words, value));
                default -> {
                    check(
                            key.startsWith("node."),
                            "--flavor %s: nothing is known of '%s'; %s",
                            words,
                            key,
                            FORM);
                    nodes.put(key.substring("node.".length()), value);
                }
            }
        }
        check(max == 0 || min <= max, "--flavor %s: min is more than max", words);
        return new Flavor(
                parts[0],
                min,
                max == 0 ? Math.max(1, min) : max,
                site,
                requests(room),
                nodes,
                java.util.List.of(),
                null,
                null);
    }

    private static @Nullable ResourceRequirements requests(Map<String, Quantity> room) {
        if (room.isEmpty()) {
            return null;
        }
        Map<String, Quantity> limits = new LinkedHashMap<>(room);
        limits.remove("cpu"); // A limit of time would only slow a worker down.
        return new ResourceRequirementsBuilder().withRequests(room).withLimits(limits).build();
    }

    private static int number(String words, String value) {
        try {
            int number = Integer.parseInt(value);
            check(number >= 0 && number <= 1000, "--flavor %s: from 0 to 1000", words);
            return number;
        } catch (NumberFormatException e) {
            throw new ConfigException(
                    "--flavor %s: '%s' is no whole number; %s".formatted(words, value, FORM), e);
        }
    }

    private static Quantity quantity(String words, String value) {
        try {
            Quantity quantity = Quantity.parse(value);
            check(quantity.getNumericalAmount().signum() > 0, "--flavor %s: more than 0", words);
            return quantity;
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "--flavor %s: '%s' is no quantity, as in 500m, 4 or 8Gi"
                            .formatted(words, value),
                    e);
        }
    }
}
