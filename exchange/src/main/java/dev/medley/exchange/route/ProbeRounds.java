package dev.medley.exchange.route;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A schedule by which machines probe the paths between them, in rounds of pairs that do not disturb
 * each other. Within a round no machine is in two pairs, and no site in two pairs that cross a
 * border, since all machines of a site share its uplink.
 *
 * @param rounds one after the other
 */
public record ProbeRounds(List<List<Pair>> rounds) {
    /** Up to so many machines at one site each probes all others there; beyond, its neighbours. */
    private static final int MOST_WITH_ALL = 6;

    /** Two machines that probe the path between them, both directions in turn. */
    public record Pair(int one, int other) {}

    public ProbeRounds {
        rounds = rounds.stream().map(List::copyOf).toList();
    }

    /**
     * Few pairs, for a run that wants to begin: one pair of machines for two sites, all pairs of a
     * small site, a ring in a large one. Of C sites that are alike: about C + 5 rounds.
     *
     * @param siteOf each machine's site, numbered from 0
     */
    public static ProbeRounds brief(List<Integer> siteOf) {
        List<Pair> pairs = new ArrayList<>();
        List<List<Integer>> sites = bySite(siteOf);
        for (int one = 0; one < sites.size(); one++) {
            for (int other = one + 1; other < sites.size(); other++) {
                // Others each time, so that one machine's weakness does not speak for all ways.
                List<Integer> here = sites.get(one);
                List<Integer> there = sites.get(other);
                pairs.add(
                        new Pair(
                                here.get((other - one - 1) % here.size()),
                                there.get(one % there.size())));
            }
        }
        for (List<Integer> site : sites) {
            pairs.addAll(site.size() <= MOST_WITH_ALL ? all(site) : ring(site));
        }
        return scheduled(pairs, siteOf);
    }

    /** All pairs, for who wants to know. */
    public static ProbeRounds whole(List<Integer> siteOf) {
        List<Integer> everybody = new ArrayList<>();
        for (int machine = 0; machine < siteOf.size(); machine++) {
            everybody.add(machine);
        }
        return scheduled(all(everybody), siteOf);
    }

    /** Only the rounds of pairs that fulfil something; rounds that get empty fall away. */
    public ProbeRounds only(java.util.function.Predicate<Pair> wanted) {
        return new ProbeRounds(
                rounds.stream()
                        .map(round -> round.stream().filter(wanted).toList())
                        .filter(round -> !round.isEmpty())
                        .toList());
    }

    /** Each round takes the next pairs that fit, in order. */
    private static ProbeRounds scheduled(List<Pair> pairs, List<Integer> siteOf) {
        List<Pair> left = new ArrayList<>(pairs);
        List<List<Pair>> rounds = new ArrayList<>();
        while (!left.isEmpty()) {
            Set<Integer> busy = new HashSet<>();
            Set<Integer> crossing = new HashSet<>();
            List<Pair> round = new ArrayList<>();
            for (Pair pair : left) {
                int here = siteOf.get(pair.one());
                int there = siteOf.get(pair.other());
                boolean crosses = here != there;
                boolean isFree = !busy.contains(pair.one()) && !busy.contains(pair.other());
                boolean isOpen = !crossing.contains(here) && !crossing.contains(there);
                if (isFree && (!crosses || isOpen)) {
                    round.add(pair);
                    busy.addAll(List.of(pair.one(), pair.other()));
                    crossing.addAll(crosses ? List.of(here, there) : List.of());
                }
            }
            left.removeAll(round);
            rounds.add(round);
        }
        return new ProbeRounds(rounds);
    }

    private static List<List<Integer>> bySite(List<Integer> siteOf) {
        List<List<Integer>> sites = new ArrayList<>();
        for (int machine = 0; machine < siteOf.size(); machine++) {
            while (sites.size() <= siteOf.get(machine)) {
                sites.add(new ArrayList<>());
            }
            sites.get(siteOf.get(machine)).add(machine);
        }
        return sites;
    }

    private static List<Pair> all(List<Integer> machines) {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < machines.size(); i++) {
            for (int k = i + 1; k < machines.size(); k++) {
                pairs.add(new Pair(machines.get(i), machines.get(k)));
            }
        }
        return pairs;
    }

    private static List<Pair> ring(List<Integer> machines) {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < machines.size(); i++) {
            pairs.add(new Pair(machines.get(i), machines.get((i + 1) % machines.size())));
        }
        return pairs;
    }
}
