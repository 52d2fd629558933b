package dev.medley.plan.simulator.fabric;

import dev.medley.profile.cluster.Way;
import java.util.Map;

/**
 * The links between machines: each machine's own connection within its site, and one link for each
 * direction between two sites. All machines of two sites share the link between them.
 *
 * @param inside of every site
 * @param between any two sites of which {@code pairs} says nothing
 * @param pairs of sites with links of their own
 */
public record Links(Way inside, Link between, Map<Pair, Link> pairs) {
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

    public Links {
        pairs = Map.copyOf(pairs);
    }

    /** The same link between any two sites, on which nothing is lost or late. */
    public static Links of(Way inside, Way between) {
        return of(inside, Link.of(between));
    }

    /** The same link between any two sites. */
    public static Links of(Way inside, Link between) {
        return new Links(inside, between, Map.of());
    }

    /** Whether no two messages of a length differ. */
    public boolean areCalm() {
        return between.isCalm() && pairs.values().stream().allMatch(Link::isCalm);
    }

    /** The link between two sites. */
    public Link between(String one, String other) {
        return pairs.getOrDefault(new Pair(one, other), between);
    }
}
