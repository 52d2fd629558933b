package dev.medley.exchange.tcp;

import dev.medley.base.memory.ElementType;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.base.route.Strands;
import dev.medley.exchange.route.Cell;
import dev.medley.exchange.sum.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The cells of a slice that one rank sends to each peer and gets from it. They are the same for all
 * slices of one {@link Shape}; a model has few shapes.
 *
 * @param cells of the slice, in order
 * @param owned indices of the cells that this rank owns
 * @param byPeer by rank, and then by {@linkplain Strands strand}; nothing for this one
 */
record Legs(List<Cell> cells, List<Integer> owned, List<List<Leg>> byPeer) {
    /**
     * The cells that travel between this rank and another on one strand: indices, in order.
     *
     * @param upOut values to the owner at this site, and sums of this site to owners at others
     * @param upIn the same towards this rank
     * @param downOut whole sums
     * @param downIn the same towards this rank
     */
    record Leg(
            List<Integer> upOut, List<Integer> upIn, List<Integer> downOut, List<Integer> downIn) {}

    /** All on which the cut of a slice depends. */
    record Shape(long bytes, ElementType type, Scheme scheme) {
        static Shape of(Slice slice, Scheme scheme) {
            return new Shape(slice.bytes(), slice.type(), scheme);
        }
    }

    /** The legs of {@code rank}, which stands at one of the sites. */
    static Legs of(List<Cell> cells, SiteMap sites, int rank) {
        int here = sites.siteOf(rank);
        int ranks =
                sites.ranks().stream().flatMap(List::stream).mapToInt(r -> r + 1).max().orElse(0);
        List<List<Leg>> legs = new ArrayList<>();
        for (int peer = 0; peer < ranks; peer++) {
            boolean isPeer = peer != rank && isAmong(sites, peer);
            legs.add(isPeer ? strands(cells, sites, rank, peer) : List.of());
        }
        return new Legs(cells, those(cells, cell -> cell.owner(here) == rank), List.copyOf(legs));
    }

    private static List<Leg> strands(List<Cell> cells, SiteMap sites, int rank, int peer) {
        int here = sites.siteOf(rank);
        int there = sites.siteOf(peer);
        int values = Strands.ofValues(sites, rank, peer);
        int sums = Strands.ofSums(sites, rank, peer);
        List<Integer> upOut = those(cells, cell -> takesUp(cell, rank, here, peer, there));
        List<Integer> upIn = those(cells, cell -> takesUp(cell, peer, there, rank, here));
        List<Integer> downOut = those(cells, cell -> takesDown(cell, rank, here, peer, there));
        List<Integer> downIn = those(cells, cell -> takesDown(cell, peer, there, rank, here));
        List<Leg> legs = new ArrayList<>();
        for (int strand = 0; strand < values; strand++) {
            legs.add(
                    new Leg(
                            on(strand, values, sites, upOut),
                            on(strand, values, sites, upIn),
                            on(strand, sums, sites, downOut),
                            on(strand, sums, sites, downIn)));
        }
        return List.copyOf(legs);
    }

    private static List<Integer> on(int strand, int strands, SiteMap sites, List<Integer> cells) {
        return cells.stream().filter(cell -> strand(cell, sites, strands) == strand).toList();
    }

    /**
     * Which of so many strands a cell travels on. Three sites and more take turns to add cells, and
     * so those of one site have to go to all strands.
     */
    static int strand(int cell, SiteMap sites, int strands) {
        int turns = sites.sites() > 2 ? sites.sites() : 1;
        return cell / turns % strands;
    }

    private static boolean isAmong(SiteMap sites, int rank) {
        return sites.ranks().stream().anyMatch(site -> site.contains(rank));
    }

    private static List<Integer> those(List<Cell> cells, Predicate<Cell> which) {
        return IntStream.range(0, cells.size())
                .filter(index -> which.test(cells.get(index)))
                .boxed()
                .toList();
    }

    /** Whether {@code to} adds what {@code from} has of a cell. */
    private static boolean takesUp(Cell cell, int from, int here, int to, int there) {
        return cell.owner(there) == to
                && (here == there || cell.owner(here) == from && cell.isAddedAt(there));
    }

    /** Whether {@code from} tells {@code to} the whole sum of a cell. */
    private static boolean takesDown(Cell cell, int from, int here, int to, int there) {
        return cell.owner(here) == from
                && (here == there
                        || cell.owner(there) == to
                                && cell.isAddedAt(here)
                                && !cell.isAddedAt(there));
    }
}
