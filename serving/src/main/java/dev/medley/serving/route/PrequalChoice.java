package dev.medley.serving.route;

import dev.medley.base.text.Units;
import java.util.List;

/**
 * Chooses a server by Prequal's rule of hot and cold (Wydrowski et al., Load is not what you should
 * balance: introducing Prequal, NSDI 2024, section 4.2).
 *
 * <p>Servers with more requests in flight than a quantile of what was seen lately are hot. Of those
 * that are cold the one with the least latency is chosen; if all are hot, the one with the fewest
 * in flight. So a fast server gets more, and none so many that its latency is of the past.
 */
public final class PrequalChoice {
    private PrequalChoice() {}

    /**
     * One of the servers.
     *
     * @param index among those given
     * @param isCold whether it was chosen by latency
     * @param hotAbove requests in flight
     * @param among how many there were
     */
    public record Chosen(int index, ReplicaLoad load, boolean isCold, double hotAbove, int among) {
        /** Why it was chosen, in one sentence. */
        public String why() {
            return isCold
                    ? ("%s, of %d the one with the least latency, %s,"
                                    + " among those with at most %.0f in flight")
                            .formatted(
                                    load.name(),
                                    among,
                                    load.latencyNs() == 0
                                            ? "not known yet"
                                            : Units.duration((double) load.latencyNs()),
                                    hotAbove)
                    : ("%s, of %d that all have more than %.0f in flight"
                                    + " the one with the fewest, %.0f")
                            .formatted(load.name(), among, hotAbove, load.inFlight());
        }
    }

    /**
     * The best of {@code servers}, of which there is one at least; the first of equal ones.
     *
     * @param hotAbove requests in flight
     */
    public static Chosen choose(List<ReplicaLoad> servers, double hotAbove) {
        int best = -1;
        boolean isBestCold = false;
        for (int i = 0; i < servers.size(); i++) {
            ReplicaLoad load = servers.get(i);
            boolean isCold = load.inFlight() <= hotAbove;
            boolean isBetter =
                    best < 0
                            || (isCold == isBestCold
                                    ? isBetter(load, servers.get(best), isCold)
                                    : isCold);
            if (isBetter) {
                best = i;
                isBestCold = isCold;
            }
        }
        return new Chosen(best, servers.get(best), isBestCold, hotAbove, servers.size());
    }

    private static boolean isBetter(ReplicaLoad one, ReplicaLoad other, boolean areCold) {
        int byLatency = Long.compare(one.latencyNs(), other.latencyNs());
        int byCount = Double.compare(one.inFlight(), other.inFlight());
        int first = areCold ? byLatency : byCount;
        int second = areCold ? byCount : byLatency;
        return first < 0 || (first == 0 && second < 0);
    }
}
