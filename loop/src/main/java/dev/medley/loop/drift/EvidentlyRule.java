package dev.medley.loop.drift;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Judges one look at a column as Evidently 0.7 does by default: which statistic, by the size of the
 * reference and the number of different values, and its threshold. For comparison: looked at again
 * and again it alarms without drift, which {@code dev.medley.loop.monitor} does not.
 */
public enum EvidentlyRule {
    /** Two-sample Kolmogorov and Smirnov, drift at p up to 0.05. */
    KOLMOGOROV_SMIRNOV(0.05),
    /** Chi-squared with the reference as the truth, drift at p below 0.05. */
    CHI_SQUARED(0.05),
    /** Two shares, drift at p below 0.05. */
    PROPORTIONS(0.05),
    /** Wasserstein in deviations of the reference, drift from 0.1. */
    WASSERSTEIN(0.1),
    /** Jensen and Shannon, base e, drift from 0.1. */
    JENSEN_SHANNON(0.1);

    private static final int SMALL_REFERENCE = 1000;
    private static final int FEW_VALUES = 5;

    private final double threshold;

    EvidentlyRule(double threshold) {
        this.threshold = threshold;
    }

    /**
     * The judgement of one look.
     *
     * @param score a p-value or a distance, as the rule has it
     */
    public record Verdict(EvidentlyRule rule, double score, boolean isDrift) {}

    /** The rule for a column of numbers, of which {@code distinct} are different over both. */
    public static EvidentlyRule ofNumbers(long referenceRows, int distinct) {
        if (distinct > FEW_VALUES) {
            return referenceRows <= SMALL_REFERENCE ? KOLMOGOROV_SMIRNOV : WASSERSTEIN;
        }
        return ofCategories(referenceRows, distinct);
    }

    /** The rule for a column of categories, of which {@code distinct} are different over both. */
    public static EvidentlyRule ofCategories(long referenceRows, int distinct) {
        if (referenceRows > SMALL_REFERENCE) {
            return JENSEN_SHANNON;
        }
        return distinct > 2 ? CHI_SQUARED : PROPORTIONS;
    }

    /** Judges numbers; missing and infinite ones are left out, as Evidently does. */
    public static Verdict judge(NumberSample reference, NumberSample current) {
        double[] both =
                java.util.stream.DoubleStream.concat(
                                Arrays.stream(reference.sorted()), Arrays.stream(current.sorted()))
                        .toArray();
        int distinct = NumberSample.of(both).distinct();
        EvidentlyRule rule = ofNumbers(reference.notEmpty("reference").size(), distinct);
        return switch (rule) {
            case KOLMOGOROV_SMIRNOV ->
                    rule.verdict(KolmogorovSmirnov.test(reference, current).pValue());
            case WASSERSTEIN -> rule.verdict(Wasserstein.normed(reference, current));
            default -> {
                List<Double> values = Arrays.stream(both).sorted().distinct().boxed().toList();
                yield rule.judge(counts(reference, values), counts(current, values));
            }
        };
    }

    /** Judges categories; missing ones are left out, as Evidently does. */
    public static Verdict judge(CategorySample reference, CategorySample current) {
        List<String> labels = CategorySample.labels(reference, current);
        return ofCategories(reference.size(), labels.size())
                .judge(reference.counts(labels), current.counts(labels));
    }

    private Verdict judge(long[] reference, long[] current) {
        return switch (this) {
            case JENSEN_SHANNON ->
                    verdict(
                            Divergences.jensenShannon(
                                    doubles(reference), doubles(current), Math.E));
            case CHI_SQUARED -> verdict(ChiSquared.goodness(current, reference).pValue());
            default ->
                    verdict(
                            Proportions.test(
                                            total(reference) - reference[0],
                                            total(reference),
                                            total(current) - current[0],
                                            total(current))
                                    .pValue());
        };
    }

    private Verdict verdict(double score) {
        boolean isDrift =
                switch (this) {
                    case KOLMOGOROV_SMIRNOV -> score <= threshold;
                    case CHI_SQUARED, PROPORTIONS -> score < threshold;
                    case WASSERSTEIN, JENSEN_SHANNON -> score >= threshold;
                };
        return new Verdict(this, score, isDrift);
    }

    private static long[] counts(NumberSample sample, List<Double> values) {
        Map<Double, Long> counts =
                Arrays.stream(sample.sorted())
                        .boxed()
                        .collect(
                                Collectors.groupingBy(v -> v, TreeMap::new, Collectors.counting()));
        return values.stream().mapToLong(v -> counts.getOrDefault(v, 0L)).toArray();
    }

    private static double[] doubles(long[] counts) {
        return Arrays.stream(counts).asDoubleStream().toArray();
    }

    private static long total(long[] counts) {
        return Arrays.stream(counts).sum();
    }
}
