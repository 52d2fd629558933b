package dev.medley.fleet.policy.quota;

import dev.medley.base.ConfigException;

/**
 * Keeps machines for one group during a time; nobody else gets them then, used or not.
 *
 * @param type of machine
 * @param fromS on the fleet's clock
 * @param toS exclusive
 */
public record Reservation(String group, String type, int machines, double fromS, double toS) {
    public Reservation {
        ConfigException.check(
                machines >= 1, "%s reserves %d machines; give 1 or more", group, machines);
        ConfigException.check(
                fromS < toS,
                "%s reserves from second %s to %s; give a time that ends later",
                group,
                fromS,
                toS);
    }

    /** Whether it holds at a moment. */
    boolean isOn(double nowS) {
        return fromS <= nowS && nowS < toS;
    }
}
