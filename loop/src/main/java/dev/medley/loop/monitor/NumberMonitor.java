package dev.medley.loop.monitor;

import dev.medley.base.Seeds;
import java.util.List;

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
    private final Draws rankDraws;
    private final Draws missingDraws;
    private final MonitorOptions options;

    /** Before the first window. */
    public NumberMonitor(NumberReference reference, MonitorOptions options) {
        this(new State(options, reference, ColumnFacets.Kept.NONE, List.of(0L, 0L, 0L)));
    }

    /** To go on from a state as if nothing had been between. */
    public NumberMonitor(State state) {
        NumberReference seen = state.seen;
        this.options = state.options;
        long seed = options.seed();
        this.rankDraws = new Draws(Seeds.of(seed, 1), state.drawn.get(0));
        this.missingDraws = new Draws(Seeds.of(seed, 2), state.drawn.get(1));
        this.order = new Draws(Seeds.of(seed, 3), state.drawn.get(2));
        this.ranks = new NumberRanks(seen, rankDraws);
        this.missing = new MissingRanks(seen.present(), seen.missing(), missingDraws);
        this.facets = new ColumnFacets(options, state.facets);
        this.ofValues = facets.facet("", VALUES_SHARE, Bets.NUMBERS);
        this.ofMissing = facets.facet("values are missing ", 1 - VALUES_SHARE, Bets.UPPER_END);
    }

    /**
     * One more window of rows in any order, NaN or infinite where a value is missing. Rows are
     * taken in a drawn order, so that sorted windows are no evidence.
     */
    public Standing add(double[] window) {
        for (int row : order.permutation(window.length)) {
            double value = window[row];
            if (!Double.isFinite(value)) {
                ofMissing.rank(missing.missing());
            } else {
                ofMissing.rank(missing.present());
                ofValues.rank(ranks.next(value));
            }
        }
        return facets.end();
    }

    /** All that it needs to go on, between two windows; JSON holds it. */
    public State state() {
        return new State(
                options,
                ranks.seen(missing.presentRows(), missing.missingRows()),
                facets.kept(),
                List.of(rankDraws.drawn(), missingDraws.drawn(), order.drawn()));
    }

    /**
     * The state between two windows.
     *
     * @param seen the reference with all rows since
     * @param facets for nobody but the monitor
     * @param drawn for nobody but the monitor
     */
    public record State(
            MonitorOptions options,
            NumberReference seen,
            ColumnFacets.Kept facets,
            List<Long> drawn) {}
}
