package dev.medley.exchange.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The bandwidths of the paths between machines, as all ranks know them.
 *
 * @param bytesPerSecond row i holds what reached machine i from each machine; zero where it was not
 *     measured
 */
public record LinkRates(List<List<Long>> bytesPerSecond) {
    private static final Pattern RATE = Pattern.compile("([0-9]{1,9})=[0-9]{1,15}");

    public LinkRates {
        bytesPerSecond = bytesPerSecond.stream().map(List::copyOf).toList();
    }

    /** The rates that one machine knows, by sending machine, as text for all. */
    public static String say(Map<Integer, Long> from) {
        return new TreeMap<>(from)
                .entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining(" "));
    }

    /** Whether this is what a member can have said that knows of so many machines. */
    public static boolean isSound(String row, int machines) {
        return row.isEmpty()
                || Stream.of(row.split(" ", -1)).allMatch(each -> isRate(each, machines));
    }

    private static boolean isRate(String each, int machines) {
        Matcher said = RATE.matcher(each);
        return said.matches() && Integer.parseInt(said.group(1)) < machines;
    }

    /**
     * Joins the rates that the ranks reported: of the ranks of a machine the first that knows
     * counts.
     *
     * @param rows by rank
     */
    public static LinkRates heard(List<String> rows, MachineMap machines) {
        long[][] rates = new long[machines.size()][machines.size()];
        for (int rank = 0; rank < rows.size(); rank++) {
            long[] row = rates[machines.machineOf().get(rank)];
            for (String each :
                    rows.get(rank).isEmpty() ? new String[0] : rows.get(rank).split(" ", -1)) {
                int equals = each.indexOf('=');
                int from = Integer.parseInt(each.substring(0, equals));
                long rate = Long.parseLong(each.substring(equals + 1));
                row[from] = row[from] == 0 ? rate : row[from];
            }
        }
        List<List<Long>> all = new ArrayList<>();
        for (long[] row : rates) {
            all.add(Arrays.stream(row).boxed().toList());
        }
        return new LinkRates(all);
    }

    /** The bandwidth from one machine to another; zero if it was not measured. */
    public long rate(int from, int to) {
        return bytesPerSecond.get(to).get(from);
    }

    /** Whether both directions were measured. */
    public boolean knows(ProbeRounds.Pair pair) {
        return rate(pair.one(), pair.other()) > 0 && rate(pair.other(), pair.one()) > 0;
    }

    /** The slowest measured path between two sites; empty if none was. */
    public OptionalLong slowestBetween(List<Integer> siteOf) {
        return slowest(siteOf, false);
    }

    /** The slowest measured path between two machines of one site; empty if none was. */
    public OptionalLong slowestInside(List<Integer> siteOf) {
        return slowest(siteOf, true);
    }

    /** The slowest measured path from a machine of one site to one of another, or the same. */
    public OptionalLong slowest(List<Integer> siteOf, int fromSite, int toSite) {
        OptionalLong least = OptionalLong.empty();
        for (int to = 0; to < siteOf.size(); to++) {
            for (int from = 0; from < siteOf.size(); from++) {
                boolean isAsked = siteOf.get(from) == fromSite && siteOf.get(to) == toSite;
                long rate = rate(from, to);
                if (from != to && isAsked && rate > 0) {
                    least = OptionalLong.of(Math.min(least.orElse(rate), rate));
                }
            }
        }
        return least;
    }

    private OptionalLong slowest(List<Integer> siteOf, boolean inside) {
        List<Integer> sites = siteOf.stream().distinct().toList();
        return sites.stream()
                .flatMap(
                        from ->
                                sites.stream()
                                        .filter(to -> from.equals(to) == inside)
                                        .map(to -> slowest(siteOf, from, to)))
                .flatMapToLong(OptionalLong::stream)
                .min();
    }
}
