package dev.medley.plan.forecast;

import dev.medley.plan.forecast.ForecastCheck.Seen;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.speed.StepTime;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Corrects forecasts by what was measured since. All machines count as slower by the ratio of
 * measured to predicted compute time of the running strategy. Then paths between sites (between
 * machines, where there is one site) count as slower by one factor, the nearest to 1 under which
 * that strategy would take as long as it did. So bytes that another strategy does not hide behind
 * compute count as well. Delays that are not the links' fault are taken for theirs, which favours
 * strategies that send little.
 */
final class Correction {
    /** Ways are not taken for slower than that many times. */
    private static final double MOST = 1 << 12;

    /** Nor for faster: of a rest that is short anyway, little can be concluded. */
    private static final double LEAST = 0.25;

    /** A step that is foretold so well says nothing of ways that it hides behind computing. */
    private static final double NEAR = 0.02;

    private static final int HALVINGS = 40;
    private static final double NS_PER_SECOND = 1e9;

    private Correction() {}

    /** The forecasts that agree with what was seen of {@code running}. */
    static Forecaster of(Forecaster before, Candidate running, Seen seen) {
        double batches = seen.samples() / before.facts().batch();
        double predictedNs = before.of(running).rate().computeNs();
        Forecaster machines = slower(before, seen.computeNs() / batches / predictedNs);
        return ways(machines, factor(machines, running, seen.stepNs() / batches));
    }

    /** The factor nearest to 1 under which a step takes what it took, or nearly. */
    private static double factor(Forecaster machines, Candidate running, double stepNs) {
        double foretoldNs = machines.of(running).rate().stepNs();
        if (Math.abs(stepNs - foretoldNs) <= NEAR * foretoldNs) {
            return 1;
        }
        boolean isSlower = stepNs > foretoldNs;
        double low = isSlower ? 1 : LEAST;
        double high = isSlower ? MOST : 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = Math.sqrt(low * high);
            double takesNs = ways(machines, middle).of(running).rate().stepNs();
            boolean isTooFast = takesNs < stepNs;
            if (isTooFast || (!isSlower && takesNs == stepNs)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return isSlower ? high : low;
    }

    private static Forecaster slower(Forecaster of, double factor) {
        List<StepTime> times =
                of.times().stream()
                        .map(t -> new StepTime(t.alphaNs() * factor, t.betaNs() * factor))
                        .toList();
        return new Forecaster(of.facts(), of.cluster(), times, of.worth(), of.prices());
    }

    private static Forecaster ways(Forecaster of, double factor) {
        ClusterProfile cluster = of.cluster();
        boolean isSplit = cluster.sites().size() > 1;
        List<Machine> machines = cluster.machines();
        List<List<LinkPath>> ways =
                IntStream.range(0, cluster.size())
                        .mapToObj(from -> row(cluster, from, isSplit, factor))
                        .toList();
        return new Forecaster(
                of.facts(),
                new ClusterProfile(machines, ways),
                of.times(),
                of.worth(),
                of.prices());
    }

    private static List<LinkPath> row(
            ClusterProfile cluster, int from, boolean isSplit, double factor) {
        return IntStream.range(0, cluster.size())
                .mapToObj(
                        to -> {
                            LinkPath way = cluster.way(from, to);
                            boolean isInside =
                                    cluster.machines()
                                            .get(from)
                                            .site()
                                            .equals(cluster.machines().get(to).site());
                            return from == to || isSplit == isInside ? way : slower(way, factor);
                        })
                .toList();
    }

    private static LinkPath slower(LinkPath way, double factor) {
        return new LinkPath(
                (long) Math.min(NS_PER_SECOND, way.latencyNs() * factor),
                Math.max(1, way.bytesPerSecond() / factor),
                way.origin());
    }
}
