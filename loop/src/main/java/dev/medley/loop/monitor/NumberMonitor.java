package dev.medley.loop.monitor;

import dev.medley.base.Seeds;

/**
 * Watches a column of numbers for any change since its reference, and for missing values. The
 * chance of a false alarm is bounded for any distribution, any size of the reference and any number
 * of looks, as long as rows come independently of each other.
 */
public final class NumberMonitor {
    private static final double VALUES_SHARE = 0.75;

    private final NumberRanks ranks;
    private final MissingRanks missing;
    private final ColumnFacets facets;
    private final ColumnFacets.Facet ofValues;
    private final ColumnFacets.Facet ofMissing;
    private final Draws order;

    /** Before the first window. */
    public NumberMonitor(NumberReference reference, MonitorOptions options) {
        long seed = options.seed();
        this.ranks = new NumberRanks(reference, new Draws(Seeds.of(seed, 1), 0));
        this.missing =
                new MissingRanks(
                        reference.present(), reference.missing(), new Draws(Seeds.of(seed, 2), 0));
        this.order = new Draws(Seeds.of(seed, 3), 0);
        this.facets = new ColumnFacets(options);
        this.ofValues = facets.facet("", VALUES_SHARE, Bets.NUMBERS);
        this.ofMissing = facets.facet("values are missing ", 1 - VALUES_SHARE, Bets.UPPER_END);
    }

    /**
     * One more window of rows in any order, NaN where a value is missing. Rows are taken in a drawn
     * order, so that sorted windows are no evidence.
     */
    public Standing add(double[] window) {
        for (int row : order.permutation(window.length)) {
            double value = window[row];
            if (Double.isNaN(value)) {
                ofMissing.rank(missing.missing());
            } else {
                ofMissing.rank(missing.present());
                ofValues.rank(ranks.next(value));
            }
        }
        return facets.end();
    }
}
