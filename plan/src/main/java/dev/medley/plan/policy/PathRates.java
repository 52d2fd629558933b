package dev.medley.plan.policy;

import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the usual bandwidth of the paths between workers, as far as it was measured. A path that
 * became slower by more than a bound keeps its earlier figure: slowness does not become usual.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class PathRates {
    private record Ends(int from, int to) {}

    private final double bound;
    private final Map<Ends, Double> bytesPerSecond = new HashMap<>();

    /** Nothing is known. */
    public PathRates(double bound) {
        this.bound = bound;
    }

    /** The usual bandwidth of a path from one of some workers to one of others; 0 if unknown. */
    double usual(List<Integer> from, List<Integer> to) {
        double most = 0;
        for (int one : from) {
            for (int other : to) {
                most = Math.max(most, bytesPerSecond.getOrDefault(new Ends(one, other), 0.0));
            }
        }
        return most;
    }

    /** These ways were measured. */
    public void learn(LinkReport report) {
        for (int from = 0; from < report.workers().size(); from++) {
            for (int to = 0; to < report.workers().size(); to++) {
                LinkPath way = report.ways().get(from).get(to);
                if (from != to && way.origin() == Origin.MEASURED) {
                    learn(report.workers().get(from), report.workers().get(to), way);
                }
            }
        }
    }

    private void learn(List<Integer> from, List<Integer> to, LinkPath way) {
        for (int one : from) {
            for (int other : to) {
                bytesPerSecond.merge(
                        new Ends(one, other),
                        way.bytesPerSecond(),
                        (before, now) -> now * bound < before ? before : now);
            }
        }
    }
}
