package dev.medley.fleet.view;

import dev.medley.base.ConfigException;

/**
 * Holds one kind of machine of a fleet, with how many of it can be given to jobs now.
 *
 * @param pricePerHour of one machine in the fleet's currency; NaN where nobody said it
 */
public record MachineType(String name, int machines, double pricePerHour) {
    public MachineType {
        ConfigException.check(!name.isBlank(), "a machine type has no name; give it one");
        ConfigException.check(
                machines >= 0, "machine type %s has %d machines; give 0 or more", name, machines);
        ConfigException.check(
                Double.isNaN(pricePerHour)
                        || pricePerHour >= 0 && pricePerHour < Double.POSITIVE_INFINITY,
                "machine type %s costs %s an hour; give a price of 0 or more, or none",
                name,
                pricePerHour);
    }

    /** A kind of machine whose price nobody said. */
    public static MachineType of(String name, int machines) {
        return new MachineType(name, machines, Double.NaN);
    }
}
