package dev.medley.fleet.rates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The 26 kinds of Gavel's workload on three GPU types, each kind seen on one type alone. */
@Tag("real")
class GavelRatesTest {
    private static final Pattern KIND =
            Pattern.compile("\\('(.*?)(?: \\(batch size (\\d+)\\))?', 1\\)");

    @Test
    void shouldForetellUnseenPairsBetterThanTheTypesOwnSpeed() throws IOException {
        Path folder =
                Optional.ofNullable(System.getenv("MEDLEY_SHARED"))
                        .map(Path::of)
                        .orElse(
                                Path.of(System.getProperty("medley.root", ".."))
                                        .resolve("../shared"));
        Path file = folder.resolve("data/sched/gavel/simulation_throughputs.json.gz");
        Assumptions.assumeTrue(
                Files.exists(file),
                () -> file + " is absent: set MEDLEY_SHARED to the folder of shared data");
        Map<String, Map<JobKind, Double>> rates = read(file);
        List<String> types = List.copyOf(rates.keySet());
        List<Double> errors = new ArrayList<>();
        List<Double> naive = new ArrayList<>();
        int within = 0;
        List<JobKind> kinds = List.copyOf(rates.get(types.get(0)).keySet());
        for (int hidden = 0; hidden < kinds.size(); hidden++) {
            JobKind kind = kinds.get(hidden);
            String seen = types.get(hidden % types.size());
            List<MeasuredRate> known = new ArrayList<>();
            for (String type : types) {
                rates.get(type)
                        .forEach(
                                (k, rate) -> {
                                    if (!k.equals(kind) || type.equals(seen)) {
                                        known.add(new MeasuredRate(k, speed(type), rate, 0.03));
                                    }
                                });
            }
            RateMatrix matrix = RateMatrix.of(known);
            for (String type : types) {
                if (!type.equals(seen)) {
                    double truth = rates.get(type).get(kind);
                    RateEstimate estimate = matrix.estimate(kind, speed(type));
                    double error = Math.abs(Math.log(estimate.rate() / truth));
                    errors.add(error);
                    within += error <= 2 * estimate.relativeError() ? 1 : 0;
                    double scaled =
                            rates.get(seen).get(kind) * speed(type).speed() / speed(seen).speed();
                    naive.add(Math.abs(Math.log(scaled / truth)));
                }
            }
        }
        System.out.printf(
                "unseen pairs: median error %.3f, 90%% %.3f, by the types' speed alone %.3f,"
                        + " %d of %d within two deviations%n",
                quantile(errors, 0.5),
                quantile(errors, 0.9),
                quantile(naive, 0.5),
                within,
                errors.size());
        assertThat(quantile(errors, 0.5)).isLessThan(0.6 * quantile(naive, 0.5));
        assertThat(within).isGreaterThan(errors.size() * 8 / 10);
    }

    private static double quantile(List<Double> values, double share) {
        double[] sorted = values.stream().mapToDouble(v -> v).sorted().toArray();
        return sorted[(int) (share * (sorted.length - 1))];
    }

    /** As a quick measurement of products in single precision would say. */
    private static TypeSpeed speed(String type) {
        return new TypeSpeed(type, Map.of("v100", 14.0, "p100", 9.3, "k80", 2.8).get(type));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<JobKind, Double>> read(Path file) throws IOException {
        Map<String, Map<JobKind, Double>> rates = new TreeMap<>();
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            Map<String, Map<String, Map<String, Object>>> all =
                    Json.parse(in.readAllBytes(), Map.class);
            for (String type : Arrays.asList("v100", "p100", "k80")) {
                Map<JobKind, Double> row = new java.util.LinkedHashMap<>();
                new TreeMap<>(all.get(type))
                        .forEach(
                                (key, value) -> {
                                    Matcher name = KIND.matcher(key);
                                    if (name.matches()) {
                                        double batch =
                                                name.group(2) == null
                                                        ? 1
                                                        : Double.parseDouble(name.group(2));
                                        row.put(
                                                new JobKind(key, name.group(1), batch),
                                                ((Number) value.get("null")).doubleValue());
                                    }
                                });
                rates.put(type, row);
            }
        }
        return rates;
    }
}
