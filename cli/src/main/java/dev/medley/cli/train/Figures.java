package dev.medley.cli.train;

import dev.medley.base.text.Units;
import dev.medley.record.entry.MetricValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Shows metrics to people: a figure, or why there is none. */
public final class Figures {
    private static final String NO_OUTPUT = "some outputs of the model are not numbers";
    private static final List<String> OF_OUTPUTS =
            List.of("log_loss", "loss", "mse", "rmse", "mae", "perplexity");
    private static final Map<String, String> OTHERS =
            Map.of(
                    "auc", "all samples are of one class, and it compares two",
                    "pr_auc", "no sample is of the second class",
                    "precision", "the second class neither occurs nor is found",
                    "recall", "the second class neither occurs nor is found",
                    "f1", "the second class neither occurs nor is found",
                    "r2", "all numbers to be predicted are equal");

    private Figures() {}

    /** The figures of an evaluation by name. */
    static Map<String, Double> of(List<MetricValue> metrics) {
        Map<String, Double> figures = new LinkedHashMap<>();
        metrics.forEach(metric -> figures.put(metric.name(), metric.value()));
        return figures;
    }

    /**
     * A figure with the reason behind it if it is not a number.
     *
     * @param all figures of the same evaluation
     */
    public static String text(String metric, Map<String, Double> all) {
        String figure = Units.metric(Objects.requireNonNull(all.get(metric)));
        return why(metric, all).map(why -> figure + " (" + why + ")").orElse(figure);
    }

    /**
     * Why a figure is not a number; empty if it is one, or if its metric is the user's own. No
     * figure is one where outputs of the model are none; the area under the curve compares two
     * classes, and has no meaning where there is one.
     */
    public static Optional<String> why(String metric, Map<String, Double> all) {
        if (!isNone(metric, all)) {
            return Optional.empty();
        }
        boolean areAllNone = all.size() > 1 && all.keySet().stream().allMatch(m -> isNone(m, all));
        if (areAllNone || OF_OUTPUTS.contains(metric)) {
            return Optional.of(NO_OUTPUT);
        }
        return Optional.ofNullable(OTHERS.get(metric))
                .map(why -> all.size() > 1 ? why : why + ", or " + NO_OUTPUT);
    }

    private static boolean isNone(String metric, Map<String, Double> all) {
        Double figure = all.get(metric);
        return figure != null && figure.isNaN();
    }
}
