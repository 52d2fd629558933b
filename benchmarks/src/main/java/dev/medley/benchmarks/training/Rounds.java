package dev.medley.benchmarks.training;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs contenders in turn, each round with a seed of its own, and compares those of one round.
 *
 * <p>Ratios are medians over rounds with the least and the most. Raw runs are added to a file of
 * JSON lines, if there is one.
 */
final class Rounds {
    private final String task;
    private final Map<String, List<Measured>> results = new LinkedHashMap<>();

    Rounds(String task) {
        this.task = task;
    }

    /** Makes one run with this seed. */
    @FunctionalInterface
    interface Contender {
        Measured run(int seed) throws IOException, InterruptedException;
    }

    /** Every other round is in the opposite order. */
    void run(Map<String, Contender> contenders, int rounds, @Nullable Path raw)
            throws IOException, InterruptedException {
        contenders.keySet().forEach(name -> results.put(name, new ArrayList<>()));
        for (int round = 1; round <= rounds; round++) {
            List<String> names = new ArrayList<>(contenders.keySet());
            if (round % 2 == 0) {
                Collections.reverse(names);
            }
            for (String name : names) {
                Measured measured = Objects.requireNonNull(contenders.get(name)).run(round);
                of(name).add(measured);
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("task", task);
                line.put("variant", name);
                line.put("seed", round);
                line.put("date", Instant.ofEpochMilli(Clock.system().wallMillis()).toString());
                line.put("run", measured);
                System.err.println(Json.line(line));
                if (raw != null) {
                    Files.writeString(
                            raw,
                            Json.line(line) + "\n",
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND);
                }
            }
        }
    }

    Iterable<String> names() {
        return results.keySet();
    }

    double median(String name, Function<Measured, @Nullable Double> figure) {
        return median(figures(name, figure));
    }

    /** {@code 1.30 (1.21 to 1.35)}; {@code not reached} where no run has the figure. */
    String cell(String name, String format, Function<Measured, @Nullable Double> figure) {
        return spread(format, figures(name, figure));
    }

    /** One over the other in runs of the same round. */
    String ratio(String one, String other, Function<Measured, @Nullable Double> figure) {
        return spread("%.2f", ratios(one, other, figure));
    }

    private List<Double> ratios(
            String one, String other, Function<Measured, @Nullable Double> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < of(one).size(); i++) {
            Double over = figure.apply(of(one).get(i));
            Double under = figure.apply(of(other).get(i));
            if (over != null && under != null) {
                ratios.add(over / under);
            }
        }
        return ratios;
    }

    private List<Double> figures(String name, Function<Measured, @Nullable Double> figure) {
        return of(name).stream().map(figure).filter(Objects::nonNull).toList();
    }

    private List<Measured> of(String name) {
        return results.computeIfAbsent(name, k -> new ArrayList<>());
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int count = sorted.size();
        return count == 0 ? Double.NaN : (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
    }

    private static String spread(String format, List<Double> values) {
        if (values.isEmpty()) {
            return "not reached";
        }
        List<Double> sorted = values.stream().sorted().toList();
        String middle = String.format(Locale.ROOT, format, median(sorted));
        return sorted.size() == 1
                ? middle
                : String.format(
                        Locale.ROOT,
                        "%s (" + format + " to " + format + ")",
                        middle,
                        sorted.get(0),
                        sorted.get(sorted.size() - 1));
    }
}
