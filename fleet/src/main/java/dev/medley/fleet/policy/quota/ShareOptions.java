package dev.medley.fleet.policy.quota;

import dev.medley.base.ConfigException;
import java.util.List;
import java.util.Map;

/**
 * Holds what an operator promised to groups.
 *
 * @param groups by name; others have {@link GroupShare#USUAL}
 * @param halfLifeS after which what was used counts half
 */
public record ShareOptions(
        Map<String, GroupShare> groups, List<Reservation> reservations, double halfLifeS) {
    /** A day, as Kueue's and Slurm's operators choose it. */
    public static final double HALF_LIFE_S = 86_400;

    /** Equal shares, no quotas, no reservations. */
    public static final ShareOptions EQUAL = new ShareOptions(Map.of(), List.of(), HALF_LIFE_S);

    public ShareOptions {
        groups = Map.copyOf(groups);
        reservations = List.copyOf(reservations);
        ConfigException.check(
                halfLifeS > 0 && halfLifeS < Double.POSITIVE_INFINITY,
                "a half-life of %s s; give a time above 0",
                halfLifeS);
    }

    /** Whether machines of a type are kept for another group now. */
    public boolean isReservedForOthers(String type, String group, double nowS) {
        return reservations.stream()
                .anyMatch(
                        of -> of.isOn(nowS) && of.type().equals(type) && !of.group().equals(group));
    }

    /** What a group may have. */
    public GroupShare of(String group) {
        return groups.getOrDefault(group, GroupShare.USUAL);
    }
}
