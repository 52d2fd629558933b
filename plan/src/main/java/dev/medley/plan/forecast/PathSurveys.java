package dev.medley.plan.forecast;

import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the results of repeated surveys of the paths between machines, and decides whether another
 * survey is needed. A probe on a busy machine may report a hundredth of a path's bandwidth, and
 * rounds or a codec that were chosen for it cost precision in all steps to come; another survey
 * costs a second or two once. So nothing that costs precision is chosen by one survey, nor by
 * surveys that contradict each other.
 *
 * <p>Thread: the coordinator's agent.
 */
final class PathSurveys {
    /** More do not make a noisy machine quiet. */
    private static final int MOST = 3;

    /** Bandwidths that differ by no more agree. */
    private static final double AGREEING = 1.5;

    private int taken;
    private @Nullable ClusterProfile profile;
    private @Nullable LinkReport report;

    /** A group forms for a look. */
    void begins() {
        taken++;
    }

    /** How many there were. */
    int taken() {
        return taken;
    }

    /** With what earlier looks measured of the same machines. */
    ClusterProfile with(ClusterProfile seen) {
        ClusterProfile before = profile;
        ClusterProfile all =
                before == null || !before.machines().equals(seen.machines())
                        ? seen
                        : new ClusterProfile(seen.machines(), both(before.ways(), seen.ways()));
        profile = all;
        return all;
    }

    /** With what earlier looks measured of the same workers. */
    LinkReport with(LinkReport seen) {
        LinkReport before = report;
        LinkReport all =
                before == null || !before.workers().equals(seen.workers())
                        ? seen
                        : new LinkReport(
                                seen.epoch(),
                                seen.workers(),
                                both(before.ways(), seen.ways()),
                                seen.foundSites(),
                                seen.whySites());
        report = all;
        return all;
    }

    private static List<List<LinkPath>> both(
            List<List<LinkPath>> before, List<List<LinkPath>> now) {
        List<List<LinkPath>> ways = new ArrayList<>();
        for (int from = 0; from < now.size(); from++) {
            List<LinkPath> row = new ArrayList<>();
            for (int to = 0; to < now.size(); to++) {
                row.add(before.get(from).get(to).and(now.get(from).get(to)));
            }
            ways.add(row);
        }
        return ways;
    }

    /**
     * Whether ways are to be measured once more before a choice is taken.
     *
     * @param costsPrecision whether what was chosen does, beside exact sums in every step
     */
    boolean wantsAnother(boolean costsPrecision) {
        boolean isMeasured = profile != null || report != null; // What is assumed stays so.
        boolean isAgreed = taken >= 2 && spread() <= AGREEING;
        return costsPrecision && isMeasured && taken < MOST && !isAgreed;
    }

    private double spread() {
        ClusterProfile seen = profile;
        LinkReport told = report;
        List<List<LinkPath>> ways =
                seen != null ? seen.ways() : told != null ? told.ways() : List.of();
        return ways.stream().flatMap(List::stream).mapToDouble(LinkPath::spread).max().orElse(1);
    }

    /** For the sentence of a choice; empty where one look was enough. */
    String words() {
        return taken < 2
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", by %d looks at the ways, %.1f times apart at most",
                        taken,
                        spread());
    }
}
