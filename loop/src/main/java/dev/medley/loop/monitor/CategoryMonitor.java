package dev.medley.loop.monitor;

import dev.medley.base.Seeds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches a column of categories: shares that change, categories that are new or were rare, and
 * missing values. The chance of a false alarm is bounded as that of {@link NumberMonitor}.
 */
public final class CategoryMonitor {
    private static final double PLACE_SHARE = 0.5;
    private static final double RARITY_SHARE = 0.25;

    private final CategoryRanks ranks;
    private final MissingRanks missing;
    private final ColumnFacets facets;
    private final ColumnFacets.Facet ofPlaces;
    private final ColumnFacets.Facet ofRarity;
    private final ColumnFacets.Facet ofMissing;
    private final Draws order;
    private final Draws rankDraws;
    private final Draws missingDraws;
    private final MonitorOptions options;

    /** Before the first window. */
    public CategoryMonitor(CategoryReference reference, MonitorOptions options) {
        this(new State(options, reference, ColumnFacets.Kept.NONE, List.of(0L, 0L, 0L)));
    }

    /** To go on from a state as if nothing had been between. */
    public CategoryMonitor(State state) {
        CategoryReference seen = state.seen;
        this.options = state.options;
        long seed = options.seed();
        this.rankDraws = new Draws(Seeds.of(seed, 1), state.drawn.get(0));
        this.missingDraws = new Draws(Seeds.of(seed, 2), state.drawn.get(1));
        this.order = new Draws(Seeds.of(seed, 3), state.drawn.get(2));
        this.ranks = new CategoryRanks(seen, rankDraws);
        this.missing = new MissingRanks(seen.size(), seen.missing(), missingDraws);
        this.facets = new ColumnFacets(options, state.facets);
        this.ofPlaces = facets.facet("", PLACE_SHARE, Bets.SHARES);
        this.ofRarity = facets.facet("new or rare categories come ", RARITY_SHARE, Bets.UPPER_END);
        this.ofMissing =
                facets.facet("values are missing ", 1 - PLACE_SHARE - RARITY_SHARE, Bets.UPPER_END);
    }

    /** One more window of rows in any order, null where a value is missing. */
    public Standing add(List<? extends @Nullable String> window) {
        for (int row : order.permutation(window.size())) {
            String value = window.get(row);
            if (value == null) {
                ofMissing.rank(missing.missing());
            } else {
                ofMissing.rank(missing.present());
                CategoryRanks.Rank rank = ranks.next(value);
                ofPlaces.rank(rank.place());
                ofRarity.rank(rank.rarity());
            }
        }
        return facets.end();
    }

    /** All that it needs to go on, between two windows; JSON holds it. */
    public State state() {
        return new State(
                options,
                ranks.seen(missing.missingRows()),
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
            CategoryReference seen,
            ColumnFacets.Kept facets,
            List<Long> drawn) {}
}
