package dev.medley.fleet.cost.replay;

import dev.medley.fleet.cost.market.SpotGrid;
import dev.medley.fleet.cost.spot.SpotLives;
import dev.medley.fleet.cost.spot.SpotQuote;
import java.util.Arrays;

/** Watches one zone step by step, and quotes it with what was seen until then. */
final class WatchedZone {
    private final SpotGrid.Zone zone;
    private final double stepS;
    private final Track ups = new Track();
    private final Track downs = new Track();
    private double ageS;

    WatchedZone(SpotGrid.Zone zone, double stepS) {
        this.zone = zone;
        this.stepS = stepS;
    }

    /** What is seen when {@code step} begins; steps are asked for in order, each once. */
    SpotQuote at(int step) {
        boolean up = zone.up()[step];
        if (step > 0) {
            boolean was = zone.up()[step - 1];
            Track track = was ? ups : downs;
            track.sumS += stepS;
            ageS += stepS;
            if (was != up) {
                track.end(ageS);
                ageS = 0;
            }
        }
        return new SpotQuote(
                zone.name(),
                zone.region(),
                zone.spotPerHour()[step],
                zone.onDemandPerHour(),
                up,
                new SpotLives(ups.spans(), downs.spans(), ageS));
    }

    /** Only grows, so earlier views of its array stay what they were. */
    private static final class Track {
        private double[] endedS = new double[16];
        private int count;
        private double sumS;

        void end(double lengthS) {
            if (count == endedS.length) {
                endedS = Arrays.copyOf(endedS, 2 * count);
            }
            endedS[count++] = lengthS;
        }

        SpotLives.Spans spans() {
            return new SpotLives.Spans(endedS, count, sumS);
        }
    }
}
