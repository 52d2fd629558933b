package dev.medley.plan.simulator.fabric;

import dev.medley.profile.cluster.LinkPath;
import java.util.Map;

/**
 * The links between machines: each machine's own connection within its site, and one link for each
 * direction between two sites. All machines of two sites share the link between them.
 *
 * @param inside of every site
 * @param between any two sites of which {@code pairs} says nothing
 * @param pairs of sites with links of their own
 */
public record SimulatedLinks(
        LinkPath inside, SimulatedLink between, Map<Pair, SimulatedLink> pairs) {
    /** Two sites, in whatever order. */
    public record Pair(String one, String other) {
        public Pair {
            if (one.compareTo(other) > 0) {
                String first = other;
                other = one;
                one = first;
            }
        }

        @Override
        public String toString() {
            return one + "-" + other;
        }
    }

    public SimulatedLinks {
        pairs = Map.copyOf(pairs);
    }

    /** The same link between any two sites, on which nothing is lost or late. */
    public static SimulatedLinks of(LinkPath inside, LinkPath between) {
        return of(inside, SimulatedLink.of(between));
    }

    /** The same link between any two sites. */
    public static SimulatedLinks of(LinkPath inside, SimulatedLink between) {
        return new SimulatedLinks(inside, between, Map.of());
    }

    /** Whether no two messages of a length differ. */
    public boolean areCalm() {
        return between.isCalm() && pairs.values().stream().allMatch(SimulatedLink::isCalm);
    }

    /** The link between two sites. */
    public SimulatedLink between(String one, String other) {
        return pairs.getOrDefault(new Pair(one, other), between);
    }
}
