package dev.medley.fleet.cost.market;

import dev.medley.base.ConfigException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Holds the series of all zones in which a job may run on one kind of machine.
 *
 * @param name for tables
 * @param zones by name
 */
public record SpotMarket(String name, List<SpotSeries> zones) {
    public SpotMarket {
        ConfigException.check(!zones.isEmpty(), "%s: there is no zone in it", name);
        zones = zones.stream().sorted(Comparator.comparing(SpotSeries::zone)).toList();
        double fromS = zones.stream().mapToDouble(SpotSeries::fromS).max().orElse(0);
        double toS = zones.stream().mapToDouble(SpotSeries::toS).min().orElse(0);
        ConfigException.check(
                fromS < toS,
                "%s: its zones were never seen at the same time: the last begins at second %.0f,"
                        + " the first ends at %.0f; leave some out",
                name,
                fromS,
                toS);
    }

    /** One zone of it alone. */
    public SpotMarket only(SpotSeries zone) {
        return new SpotMarket(name + " " + zone.zone(), List.of(zone));
    }

    /**
     * The time that all zones share, cut into steps. Each shows what was so when it began: what
     * changes within a step is seen at the next one.
     */
    public SpotGrid grid(double stepS) {
        ConfigException.check(stepS > 0, "a step of %s s; give one above 0", stepS);
        double fromS = zones.stream().mapToDouble(SpotSeries::fromS).max().orElse(0);
        double toS = zones.stream().mapToDouble(SpotSeries::toS).min().orElse(0);
        int steps = (int) Math.floor((toS - fromS) / stepS);
        ConfigException.check(
                steps > 0, "%s: %.0f s are less than a step of %s s", name, toS - fromS, stepS);
        List<SpotGrid.Zone> rows = new ArrayList<>();
        for (SpotSeries zone : zones) {
            double[] spot = new double[steps];
            boolean[] up = new boolean[steps];
            for (int step = 0; step < steps; step++) {
                double s = fromS + step * stepS;
                spot[step] = zone.spotPerHour().at(s);
                up[step] = zone.up().at(s) > 0;
            }
            rows.add(
                    new SpotGrid.Zone(
                            zone.zone(), zone.region(), zone.onDemandPerHour(), spot, up));
        }
        return new SpotGrid(stepS, steps, rows);
    }
}
