package dev.medley.fleet.cost.spot;

/**
 * Shows one zone at the beginning of a step.
 *
 * @param region zones of one region exchange checkpoints without egress
 * @param up whether a spot machine can be had now, and is kept during this step
 * @param lives how long spot machines lived there until now
 */
public record SpotQuote(
        String zone,
        String region,
        double spotPerHour,
        double onDemandPerHour,
        boolean up,
        SpotLives lives) {}
