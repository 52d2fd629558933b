package dev.medley.base.route;

import dev.medley.base.Group;
import dev.medley.base.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Chooses a relay for each pair of members that cannot reach each other. Neither of the two can be
 * dialled, or they do not reach each other although they can be; another member that reaches both
 * joins them. All members see the same group, so all choose alike.
 *
 * <p>The nearest of a pair's relays counts first: bytes that cross the border of a site on their
 * path to the relay cross it once more on the path back. Among the equally near, the one that joins
 * the fewest pairs so far, then the one with the lowest worker id; pairs are taken in the order of
 * their worker ids. So members that stand alike are relays of equally many pairs, or of one more,
 * and the order of ranks makes no difference. Latencies do not count: they are measured over links
 * that stand, and a newcomer does not know those that others have measured.
 *
 * @param pairs of members that are joined so; pairs without a possible relay are left out
 */
public record RelayChoice(List<Relayed> pairs) {
    /** Where a relay stands, by how many of the two ends stand at another site. */
    private static final List<String> PLACES =
            List.of("at their site, ", "at the site of one of them, ", "at a third site, ");

    /**
     * Two members that are joined through a third.
     *
     * @param one rank of the one with the lower worker id
     * @param other rank of the other
     * @param relay rank of the third, which can be dialled
     * @param why one sentence
     */
    public record Relayed(int one, int other, int relay, String why) {
        /** Whether this rank is one of the two ends. */
        public boolean joins(int rank) {
            return one == rank || other == rank;
        }
    }

    public RelayChoice {
        pairs = List.copyOf(pairs);
    }

    /** The choice for a group. */
    public static RelayChoice of(Group group) {
        List<Integer> order =
                IntStream.range(0, group.size())
                        .boxed()
                        .sorted(Comparator.comparing(rank -> member(group, rank).worker()))
                        .toList();
        List<Integer> dialled = order.stream().filter(r -> member(group, r).isDialled()).toList();
        List<Relayed> pairs = new ArrayList<>();
        Map<Integer, Integer> loads = new HashMap<>();
        for (int i = 0; i < order.size(); i++) {
            for (int other : order.subList(i + 1, order.size())) {
                int one = order.get(i);
                List<Integer> relays = relays(group, one, other, dialled);
                if (!relays.isEmpty()) {
                    Relayed next = next(group, one, other, relays, loads);
                    loads.merge(next.relay(), 1, Integer::sum);
                    pairs.add(next);
                }
            }
        }
        return new RelayChoice(pairs);
    }

    /** The members that can join two others; none where they reach each other. */
    private static List<Integer> relays(Group group, int one, int other, List<Integer> dialled) {
        boolean areHidden = !member(group, one).isDialled() && !member(group, other).isDialled();
        if (!areHidden && !group.isCut(one, other)) {
            return List.of();
        }
        return dialled.stream()
                .filter(relay -> relay != one && relay != other)
                .filter(relay -> !group.isCut(one, relay) && !group.isCut(other, relay))
                .toList();
    }

    /** The rank through which these two reach each other; empty where they need none. */
    public OptionalInt between(int rank, int peer) {
        return pairs.stream()
                .filter(pair -> rank != peer && pair.joins(rank) && pair.joins(peer))
                .mapToInt(Relayed::relay)
                .findFirst();
    }

    private static Relayed next(
            Group group, int one, int other, List<Integer> dialled, Map<Integer, Integer> loads) {
        Comparator<Integer> order =
                Comparator.<Integer>comparingInt(relay -> crossings(group, one, other, relay))
                        .thenComparingInt(relay -> loads.getOrDefault(relay, 0));
        int relay = dialled.stream().min(order).orElseThrow(); // The first of equals.
        return new Relayed(one, other, relay, why(group, one, other, relay, loads));
    }

    /** Of the two ends, those that stand at another site than the relay. */
    private static int crossings(Group group, int one, int other, int relay) {
        String site = member(group, relay).site();
        return (member(group, one).site().equals(site) ? 0 : 1)
                + (member(group, other).site().equals(site) ? 0 : 1);
    }

    private static String why(
            Group group, int one, int other, int relay, Map<Integer, Integer> loads) {
        boolean isOneSite = group.sites().size() == 1;
        return "%s and %s, %s, are joined through %s (%srelay of %d other pairs so far)"
                .formatted(
                        member(group, one).worker(),
                        member(group, other).worker(),
                        group.isCut(one, other)
                                ? "which do not reach each other"
                                : "both behind NAT",
                        member(group, relay).worker(),
                        isOneSite ? "" : PLACES.get(crossings(group, one, other, relay)),
                        loads.getOrDefault(relay, 0));
    }

    private static Member member(Group group, int rank) {
        return group.members().get(rank);
    }
}
