package dev.medley.loop.watch;

import dev.medley.loop.column.NumberProfile;
import dev.medley.loop.drift.Bins;
import dev.medley.loop.drift.CategorySample;
import dev.medley.loop.drift.ChiSquared;
import dev.medley.loop.drift.Divergences;
import dev.medley.loop.drift.KolmogorovSmirnov;
import dev.medley.loop.drift.NumberSample;
import dev.medley.loop.drift.Significance;
import dev.medley.loop.drift.Wasserstein;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares a column's rows of before and of now by the statistics that everybody knows. They are of
 * one look and decide nothing: a p-value of 0.05 comes up in nearly every loop that looks every
 * day.
 *
 * @param ks Kolmogorov and Smirnov's distance of numbers; null for categories
 * @param chiSquared Pearson's of categories; null for numbers
 * @param pValue of the one that there is
 * @param psi the population stability index: ten bins with equal shares of before, or categories
 * @param jensenShannon distance of the same shares, base 2
 * @param wasserstein of numbers, in deviations of before; null for categories
 * @param missingWas the share of rows without a value before
 * @param missingIs now
 * @param rows of now
 */
public record ColumnStatistics(
        @Nullable Double ks,
        @Nullable Double chiSquared,
        double pValue,
        double psi,
        double jensenShannon,
        @Nullable Double wasserstein,
        double missingWas,
        double missingIs,
        long rows) {
    private static final int BINS = 10;

    /** Of both; null where one of them has no values. */
    static @Nullable ColumnStatistics of(KeptColumn before, KeptColumn now) {
        if (before.present() == 0 || now.present() == 0) {
            return null;
        }
        NumberProfile was = before.numbers();
        NumberProfile is = now.numbers();
        if (was != null && is != null) {
            NumberSample reference = was.numbers();
            NumberSample current = is.numbers();
            Significance test = KolmogorovSmirnov.test(reference, current);
            Bins bins = Bins.quantiles(reference, BINS);
            double[] first = bins.counts(reference);
            double[] second = bins.counts(current);
            return new ColumnStatistics(
                    test.statistic(),
                    null,
                    test.pValue(),
                    Divergences.stabilityIndex(first, second),
                    Divergences.jensenShannon(first, second, 2),
                    Wasserstein.normed(reference, current),
                    before.missingShare(),
                    now.missingShare(),
                    now.rows());
        }
        CategorySample reference = sample(before);
        CategorySample current = sample(now);
        List<String> labels = CategorySample.labels(reference, current);
        long[] first = reference.counts(labels);
        long[] second = current.counts(labels);
        Significance test = ChiSquared.homogeneity(first, second);
        return new ColumnStatistics(
                null,
                test.statistic(),
                test.pValue(),
                Divergences.stabilityIndex(shares(first), shares(second)),
                Divergences.jensenShannon(shares(first), shares(second), 2),
                null,
                before.missingShare(),
                now.missingShare(),
                now.rows());
    }

    /** By buckets, which count all rows, however many categories there are. */
    private static CategorySample sample(KeptColumn of) {
        Map<String, Long> counts = new TreeMap<>();
        of.ofCategories().buckets().forEach((bucket, rows) -> counts.put("" + bucket, rows));
        return new CategorySample(counts, of.missing());
    }

    private static double[] shares(long[] counts) {
        double[] shares = new double[counts.length];
        for (int i = 0; i < counts.length; i++) {
            shares[i] = counts[i];
        }
        return shares;
    }

    /** One line for people. */
    public String words() {
        List<String> words = new ArrayList<>();
        words.add(
                ks == null
                        ? said("chi2 %.1f (p %.2g)", chiSquared, pValue)
                        : said("KS %.3f (p %.2g)", ks, pValue));
        words.add(said("PSI %.3f", psi));
        words.add(said("JS %.3f", jensenShannon));
        if (wasserstein != null) {
            words.add(said("Wasserstein %.3f deviations", wasserstein));
        }
        if (missingWas > 0 || missingIs > 0) {
            words.add(said("missing %.1f %%, was %.1f %%", 100 * missingIs, 100 * missingWas));
        }
        return String.join(", ", words);
    }

    private static String said(String format, @Nullable Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
