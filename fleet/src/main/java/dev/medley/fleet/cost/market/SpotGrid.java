package dev.medley.fleet.cost.market;

import java.util.List;

/**
 * Holds a market in steps of equal length, the same for all zones.
 *
 * @param stepCount steps in each row
 */
public record SpotGrid(double stepS, int stepCount, List<Zone> zones) {
    public SpotGrid {
        zones = List.copyOf(zones);
    }

    /**
     * Holds one zone.
     *
     * @param region zones of one region exchange checkpoints without egress
     * @param spotPerHour by step
     * @param up by step: whether spot machines can be had and are kept
     */
    public record Zone(
            String name,
            String region,
            double onDemandPerHour,
            double[] spotPerHour,
            boolean[] up) {}
}
