package dev.medley.fleet.cost.market;

import dev.medley.base.ConfigException;

/**
 * Holds what one kind of machine cost in one zone, and when it could be had.
 *
 * @param zone where it stands, as its cloud names it
 * @param onDemandPerHour price of a machine that is not taken away
 * @param spotPerHour price of one that may be
 * @param up 1 while a spot machine could be had and kept, else 0
 * @param toS end of what was seen, in seconds of the epoch
 */
public record SpotSeries(
        String zone, double onDemandPerHour, StepSeries spotPerHour, StepSeries up, double toS) {
    public SpotSeries {
        ConfigException.check(
                onDemandPerHour > 0 && onDemandPerHour < Double.POSITIVE_INFINITY,
                "%s: no on-demand price is known for it (found %s); say one",
                zone,
                onDemandPerHour);
        ConfigException.check(
                spotPerHour.least() > 0,
                "%s: a spot price is %s; prices are above 0",
                zone,
                spotPerHour.least());
    }

    /** When the first of it was seen, in seconds of the epoch. */
    public double fromS() {
        return Math.max(spotPerHour.fromS()[0], up.fromS()[0]);
    }

    /** The region of its zone: checkpoints move inside it without egress. */
    public String region() {
        return regionOf(zone);
    }

    /** {@code us-east-1} of {@code us-east-1a}, {@code us-west1} of {@code us-west1-b}. */
    static String regionOf(String zone) {
        String place = zone.replaceFirst("_.*", "");
        return place.replaceFirst("(?<=\\d)-?[a-z]$", "");
    }
}
