package dev.medley.fleet.trace;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;

/**
 * Holds the measured rates of Gavel's job kinds by machine type, without those of jobs that share
 * one (Narayanan et al., OSDI 2020).
 */
public final class GavelRates {
    private static final Pattern KEY = Pattern.compile("\\('(.*)', (\\d+)\\)");

    private final Path file;
    private final List<String> types;
    private final Map<String, double[]> rates = new HashMap<>();

    private GavelRates(Path file, List<String> types) {
        this.file = file;
        this.types = List.copyOf(types);
    }

    /**
     * Reads a file of rates, plain or packed by gzip.
     *
     * @param types machine types in the order in which rates are wanted
     * @throws ConfigException if the file cannot be read, or misses a type
     */
    public static GavelRates read(Path file, List<String> types) {
        GavelRates read = new GavelRates(file, types);
        JsonNode all = tree(file);
        for (int type = 0; type < types.size(); type++) {
            JsonNode kinds = all.get(types.get(type));
            ConfigException.check(
                    kinds != null && kinds.isObject(),
                    "%s: has no rates for machine type %s, but for %s; name types that it has",
                    file,
                    types.get(type),
                    all.propertyNames());
            for (Map.Entry<String, JsonNode> kind : kinds.properties()) {
                read.add(kind.getKey(), type, kind.getValue().get("null"));
            }
        }
        return read;
    }

    private static JsonNode tree(Path file) {
        try (InputStream in = open(file)) {
            return Json.parse(in.readAllBytes(), JsonNode.class);
        } catch (IOException | RuntimeException e) {
            throw new ConfigException(
                    "%s: cannot be read as rates by machine type (%s); give Gavel's"
                                    .formatted(file, e.getMessage())
                            + " simulation_throughputs.json",
                    e);
        }
    }

    /** A file as it is, or unpacked where its name ends in gz. */
    static InputStream open(Path file) throws IOException {
        InputStream in = Files.newInputStream(file);
        return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
    }

    private void add(String key, int type, JsonNode rate) {
        Matcher name = KEY.matcher(key);
        ConfigException.check(
                name.matches() && rate != null && rate.isNumber(),
                "%s: %s has no rate of its own ('null') for machine type %s",
                file,
                key,
                types.get(type));
        rates.computeIfAbsent(name.group(1) + "\n" + name.group(2), k -> new double[types.size()])[
                        type] =
                rate.asDouble();
    }

    /** Machine types in the order of the rates. */
    public List<String> types() {
        return types;
    }

    /**
     * Steps a second of a kind with so many machines, by type.
     *
     * @throws ConfigException if the kind is not known
     */
    public double[] of(String kind, int workers) {
        double[] found = rates.get(kind + "\n" + workers);
        if (found == null) {
            throw new ConfigException(
                    "%s: has no rates of %s with %d machines".formatted(file, kind, workers));
        }
        return found.clone();
    }
}
