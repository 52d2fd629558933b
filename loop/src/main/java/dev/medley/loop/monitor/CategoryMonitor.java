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

    /** Before the first window. */
    public CategoryMonitor(CategoryReference reference, MonitorOptions options) {
        long seed = options.seed();
        this.ranks = new CategoryRanks(reference, new Draws(Seeds.of(seed, 1), 0));
        this.missing =
                new MissingRanks(
                        reference.size(), reference.missing(), new Draws(Seeds.of(seed, 2), 0));
        this.order = new Draws(Seeds.of(seed, 3), 0);
        this.facets = new ColumnFacets(options);
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
}
