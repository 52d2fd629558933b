package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.base.route.Strands;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.route.Cut;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.tcp.Load.Freight;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import dev.medley.net.link.Lane;
import dev.medley.net.link.Link;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sums slices in cells, over several sites or by shares inside one. A slice is cut into cells, and
 * each cell has one rank at each site as its owner ({@link Cut}). Every rank sends its values to
 * the owner at its site, which adds them; the owners of a cell exchange the sums of their sites,
 * once for each site and not for each rank; and each spreads the whole sum at its site. C sites
 * send 2(C-1)/C of the slice's bytes each, the least possible, and inside a site of m each rank
 * sends 2(m-1)/m of it, as a ring would.
 *
 * <p>There are no phases: a cell travels on as soon as it can, so the wide link is busy from the
 * first cell on, and slices follow each other without a pause: latency is paid once for all that
 * are queued. That works because every link is a plain stream. Values and sums of sites travel on
 * one lane and whole sums on another, so that nothing ever waits behind bytes which depend on it.
 *
 * <p>Across a border both lanes have several {@linkplain Strands strands}, since a connection that
 * was silent begins slowly: cells go round them by their number.
 *
 * <p>Where a cell goes through a codec, its owner encodes its site's sum once, sends the same bytes
 * to all who add it and continues with what they decode to; so does an owner that sends a whole sum
 * to other sites. So all end with the same bits. The codec follows from the borders that are
 * crossed ({@link BorderCodecs}); inside a site nothing is coded.
 *
 * <p>A site's sum stays in place until it has gone to all owners that add it; only then the whole
 * sum takes its place. The lowest cell of a strand that is not added anywhere has free boxes on
 * that strand everywhere, so it can always travel: nothing locks.
 */
final class HierarchicalSum {
    private final Peers peers;
    private final SiteMap sites;
    private final int rank;
    private final List<Integer> mates;
    private final List<Integer> others;
    private final Span buffer;
    private final CellSums sums;
    private final Coding coding;
    private final List<Strand> strands = new ArrayList<>();

    /** Of values and sums of sites, by rank and then by strand. */
    private final List<List<Strand>> ofValues = new ArrayList<>();

    /** Of whole sums. */
    private final List<List<Strand>> ofSums = new ArrayList<>();

    private final Map<Legs.Shape, Legs> legs = new HashMap<>();

    /** Slices that have been begun since all was done. */
    private final List<Slice> underWay = new ArrayList<>();

    private volatile boolean isAsleep;

    /** The two directions of one link. */
    private record Strand(Link link, Outbound out, Inbound in) {}

    /**
     * Sums slices of {@code buffer}; what may be coded between sites goes through {@code coding}.
     */
    HierarchicalSum(Peers peers, SiteMap sites, Adder adder, Span buffer, Coding coding) {
        this.coding = coding;
        this.peers = peers;
        this.sites = sites;
        this.rank = peers.rank();
        this.mates = sites.at(sites.siteOf(rank));
        this.buffer = buffer;
        this.sums = new CellSums(sites, rank, adder, this::box);
        this.others = others(sites, rank);
        for (int peer = 0; peer < peers.size(); peer++) {
            boolean isOther = others.contains(peer);
            int values = isOther ? Strands.ofValues(sites, rank, peer) : 0;
            int wholes = isOther ? Strands.ofSums(sites, rank, peer) : 0;
            ofValues.add(open(peer, Lane.DATA.strands(values)));
            ofSums.add(open(peer, Lane.SUMS.strands(wholes)));
        }
    }

    /** The other ranks of these sites, which may be some of the group, ascending. */
    private static List<Integer> others(SiteMap sites, int rank) {
        return sites.ranks().stream()
                .flatMap(List::stream)
                .filter(peer -> peer != rank)
                .sorted()
                .toList();
    }

    /** The coding of its cells. */
    Coding coding() {
        return coding;
    }

    /** A slice and the scheme by which it is cut. */
    record Order(Slice slice, Scheme scheme) {}

    /**
     * Sums slices until there are no more.
     *
     * @param more the next slice, or null if there is none now; asked again and again until all is
     *     done
     */
    void sum(Supplier<@Nullable Order> more) throws FaultSignal {
        Order next = more.get();
        while (next != null || !isIdle()) {
            if (next != null) {
                begin(next);
            }
            if (move()) {
                peers.moved();
            } else if (!isIdle() && !peers.looksAgain()) {
                sleep(more);
            }
            next = more.get();
        }
        underWay.clear();
        for (Strand strand : strands) {
            peers.want(strand.link(), Interest.NONE);
        }
    }

    /** Whether a slice shares no byte with one that is under way. */
    boolean isApart(Slice slice) {
        long end = slice.offsetBytes() + slice.bytes();
        return underWay.stream()
                .allMatch(
                        other ->
                                end <= other.offsetBytes()
                                        || other.offsetBytes() + other.bytes()
                                                <= slice.offsetBytes());
    }

    /** Looks for another slice, if it sleeps. From any thread. */
    void wake() {
        if (isAsleep) {
            peers.wake();
        }
    }

    private List<Strand> open(int peer, List<Lane> lanes) {
        List<Strand> opened = new ArrayList<>();
        for (Lane lane : lanes) {
            Link link = peers.link(peer, lane);
            opened.add(new Strand(link, new Outbound(peers, link), new Inbound(peers, link)));
        }
        strands.addAll(opened);
        return opened;
    }

    private Inbound box(int peer, int cell) {
        List<Strand> ofPeer = ofValues.get(peer);
        return ofPeer.get(Legs.strand(cell, sites, ofPeer.size())).in();
    }

    // ---- What goes where

    private void begin(Order order) {
        Slice slice = order.slice();
        underWay.add(slice);
        peers.during(slice.tag());
        Span values = buffer.slice(slice.offsetBytes(), slice.bytes());
        Legs ways = legs(order);
        SliceProgress passage = new SliceProgress(slice, values, ways.cells(), sums, coding);
        for (int peer : others) {
            load(passage, peer, ways.byPeer().get(peer));
        }
        for (int cell : ways.owned()) {
            passage.advance(cell);
        }
    }

    private Legs legs(Order order) {
        Slice slice = order.slice();
        return legs.computeIfAbsent(
                Legs.Shape.of(slice, order.scheme()),
                any -> Legs.of(Cut.of(slice, sites, order.scheme()), sites, rank));
    }

    private void load(SliceProgress passage, int peer, List<Legs.Leg> legs) {
        boolean isMate = mates.contains(peer);
        Freight freight = isMate ? Freight.VALUES : Freight.SITE_SUM;
        int here = isMate ? Load.INSIDE : sites.siteOf(rank);
        int there = isMate ? Load.INSIDE : sites.siteOf(peer);
        List<Strand> values = ofValues.get(peer);
        for (int strand = 0; strand < values.size(); strand++) {
            Legs.Leg leg = legs.get(strand);
            load(values.get(strand).out(), new Load(passage, freight, here, leg.upOut()));
            load(values.get(strand).in(), new Load(passage, freight, there, leg.upIn()));
        }
        List<Strand> wholes = ofSums.get(peer);
        for (int strand = 0; strand < wholes.size(); strand++) {
            Legs.Leg leg = legs.get(strand);
            Freight whole = Freight.WHOLE_SUM;
            load(wholes.get(strand).out(), new Load(passage, whole, here, leg.downOut()));
            load(wholes.get(strand).in(), new Load(passage, whole, there, leg.downIn()));
        }
    }

    private static void load(Outbound outbound, Load out) {
        if (!out.cells().isEmpty()) {
            outbound.add(out);
        }
    }

    private static void load(Inbound inbound, Load in) {
        if (!in.cells().isEmpty()) {
            inbound.add(in);
        }
    }

    // ---- Moving

    private boolean isIdle() {
        for (int i = 0; i < strands.size(); i++) {
            if (!strands.get(i).out().isIdle() || !strands.get(i).in().isIdle()) {
                return false;
            }
        }
        return true;
    }

    private boolean move() throws FaultSignal {
        boolean hasMoved = false;
        for (Strand strand : strands) {
            hasMoved |= strand.out().send();
        }
        for (Strand strand : strands) {
            hasMoved |= strand.in().receive();
        }
        return hasMoved;
    }

    /** Sleeps unless another slice came meanwhile; who queues one sees the sleeper and wakes it. */
    private void sleep(Supplier<@Nullable Order> more) throws FaultSignal {
        for (Strand strand : strands) {
            peers.want(
                    strand.link(),
                    Interest.of(
                            strand.in().isOpen() ? Interest.READ : Interest.NONE,
                            strand.out().isReady() ? Interest.WRITE : Interest.NONE));
        }
        isAsleep = true;
        try {
            Order next = more.get();
            if (next != null) {
                begin(next);
            } else {
                peers.expect(awaited());
                peers.sleep();
            }
        } finally {
            isAsleep = false;
        }
    }

    /**
     * The rank that this one waits for. Values depend on nobody, sums of sites on values and whole
     * sums on those: so the chain of waiting ranks leads to the one that does not wait.
     */
    private int awaited() {
        for (Freight freight : Freight.values()) {
            for (Strand strand : strands) {
                if (strand.in().isOpen() && strand.in().freight() == freight) {
                    return strand.link().peerRank();
                }
            }
            for (Strand strand : strands) {
                if (strand.out().isReady() && strand.out().freight() == freight) {
                    return strand.link().peerRank();
                }
            }
        }
        return strands.get(0).link().peerRank();
    }
}
