package dev.medley.fleet.policy.quota;

import java.util.List;
import java.util.Map;

/**
 * Holds what an operator promised to groups.
 *
 * @param groups by name; others have {@link GroupShare#USUAL}
 */
public record ShareOptions(Map<String, GroupShare> groups, List<Reservation> reservations) {
    /** Equal shares, no quotas, no reservations. */
    public static final ShareOptions EQUAL = new ShareOptions(Map.of(), List.of());

    public ShareOptions {
        groups = Map.copyOf(groups);
        reservations = List.copyOf(reservations);
    }

    /** What a group may have. */
    GroupShare of(String group) {
        return groups.getOrDefault(group, GroupShare.USUAL);
    }
}
