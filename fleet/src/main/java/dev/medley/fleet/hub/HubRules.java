package dev.medley.fleet.hub;

import dev.medley.base.ConfigException;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.policy.quota.ShareOptions;
import org.jspecify.annotations.Nullable;

/**
 * The settings by which a hub decides.
 *
 * @param roundS seconds from one round to the next; there is one on each arrival, end and loss, too
 * @param settleS seconds between two rounds at least
 * @param silenceS seconds after which a machine that is not heard counts as lost
 * @param attempts processes of a job that may break off before it counts as failed, as {@link
 *     JobBreaks} counts them; those that were stopped, for a pause or a move, do not count
 * @param shares what groups were promised; null where nothing was
 * @param egress what it costs to bring data to sites
 */
public record HubRules(
        double roundS,
        double settleS,
        double silenceS,
        int attempts,
        @Nullable ShareOptions shares,
        EgressPrices egress) {
    /** A round a minute, lost after 30 s, five attempts. */
    public static final HubRules DEFAULTS = new HubRules(60, 1, 30, 5, null, EgressPrices.NONE);

    public HubRules {
        ConfigException.check(
                roundS > 0 && settleS >= 0 && silenceS > 0,
                "rounds of %s s, %s s apart, silence of %s s; give numbers above 0",
                roundS,
                settleS,
                silenceS);
        ConfigException.check(attempts >= 1, "%d attempts for a job; give 1 or more", attempts);
    }
}
