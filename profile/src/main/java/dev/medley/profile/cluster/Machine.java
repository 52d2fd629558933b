package dev.medley.profile.cluster;

import static dev.medley.base.ConfigException.check;

import org.jspecify.annotations.Nullable;

/**
 * A machine as a planner sees it.
 *
 * @param name for people, unique in its cluster
 * @param site where it stands; paths within a site are better than paths between sites. Empty where
 *     all machines stand together
 * @param type machines of one type are equally fast as far as is known: processor model, allowed
 *     cores, quota and instructions, or what a cluster file calls them
 * @param memoryBytes that a worker may use
 * @param pricePerHour in the currency of the price file; null where none was given
 */
public record Machine(
        String name, String site, String type, long memoryBytes, @Nullable Double pricePerHour) {
    public Machine {
        check(!name.isBlank(), "a machine without a name");
        check(memoryBytes > 0, "machine %s: memory %d bytes: above 0", name, memoryBytes);
        check(
                pricePerHour == null || pricePerHour >= 0,
                "machine %s: %s per hour: not below 0",
                name,
                pricePerHour);
    }

    /** The same with so much memory for a worker. */
    public Machine granting(long bytes) {
        return new Machine(name, site, type, bytes, pricePerHour);
    }

    /** The same by another name. */
    public Machine called(String otherName) {
        return new Machine(otherName, site, type, memoryBytes, pricePerHour);
    }
}
