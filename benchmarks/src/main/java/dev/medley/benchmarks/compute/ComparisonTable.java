package dev.medley.benchmarks.compute;

import dev.medley.benchmarks.compute.ComputeComparison.Contestant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Prints medians and spreads over rounds as a Markdown table. */
final class ComparisonTable {
    private final List<String> rows = new ArrayList<>();

    void add(Task task, String precision, Map<Contestant, List<Measurement>> results) {
        List<Measurement> medley = results.getOrDefault(Contestant.MEDLEY, List.of());
        rows.add(
                "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s / %s |"
                        .formatted(
                                task.peerName().replace("synthetic-", ""),
                                precision,
                                speed(results.get(Contestant.PYTORCH_DEFAULT_FP32)),
                                speed(results.get(Contestant.PYTORCH_DEFAULT)),
                                speed(results.get(Contestant.PYTORCH_TUNED)),
                                speed(medley),
                                ratio(medley, results.get(Contestant.PYTORCH_TUNED)),
                                ratio(medley, results.get(Contestant.PYTORCH_DEFAULT)),
                                ratio(medley, results.get(Contestant.PYTORCH_DEFAULT_FP32)),
                                cpu(results.get(Contestant.PYTORCH_TUNED)),
                                cpu(medley)));
    }

    String markdown() {
        return """
        Samples per second, median over rounds (lowest to highest); ratios of medians (lowest to \
        highest of the rounds); CPU is user and system time per step, tuned / Medley.

        | task | precision | PyTorch fp32 | default | tuned | Medley | to tuned | to default \
        | to fp32 default | CPU ms |
        |---|---|---|---|---|---|---|---|---|---|
        """
                + String.join("\n", rows)
                + "\n";
    }

    private static String speed(@Nullable List<Measurement> runs) {
        if (runs == null || runs.isEmpty()) {
            return "–";
        }
        double[] sorted = sorted(runs, Measurement::samplesPerSecond);
        return text("%.1f (%.1f–%.1f)", median(sorted), sorted[0], sorted[sorted.length - 1]);
    }

    private static String cpu(@Nullable List<Measurement> runs) {
        return runs == null || runs.isEmpty()
                ? "–"
                : text("%.2f", median(sorted(runs, Measurement::cpuMillisPerStep)));
    }

    /** Of medians, and the range of the ratios round by round. */
    private static String ratio(List<Measurement> medley, @Nullable List<Measurement> peer) {
        if (peer == null || peer.isEmpty()) {
            return "–";
        }
        double[] rounds = new double[Math.min(medley.size(), peer.size())];
        for (int i = 0; i < rounds.length; i++) {
            rounds[i] = medley.get(i).samplesPerSecond() / peer.get(i).samplesPerSecond();
        }
        Arrays.sort(rounds);
        double ratio =
                median(sorted(medley, Measurement::samplesPerSecond))
                        / median(sorted(peer, Measurement::samplesPerSecond));
        return text("%.2f (%.2f–%.2f)", ratio, rounds[0], rounds[rounds.length - 1]);
    }

    private static double[] sorted(List<Measurement> runs, ToDoubleFunction<Measurement> value) {
        return runs.stream().mapToDouble(value).sorted().toArray();
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
