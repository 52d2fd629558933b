package dev.medley.net.link;

import dev.medley.base.Group;
import dev.medley.base.route.RelayChoice;
import dev.medley.base.time.Clock;
import dev.medley.net.link.Joining.Approach;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/**
 * Joins one member with all others of its group, by one link of each lane that two need. Higher
 * ranks dial lower ones, but nobody dials a member that cannot be dialled, which dials all others
 * instead. Two members that do not reach each other are joined by a {@linkplain RelayChoice relay}.
 * Everybody first dials (peers and relays), then takes those who dialled, then reads the answers,
 * so that no order of arrival can lock. Last come the links through relays, at both ends in the
 * order of pairs of ranks: of those that are still to be made, both ends of the first have come to
 * it.
 */
public final class Mesh implements AutoCloseable {
    private final List<Link> links = new ArrayList<>();

    /** Those that are being made. */
    private final List<Detour> detours = new ArrayList<>();

    private Mesh() {}

    /** The same with the lanes that every group has. */
    public static Mesh join(
            LinkListener listener,
            Group group,
            int rank,
            Clock clock,
            long deadlineNs,
            BooleanSupplier givenUp)
            throws FaultSignal {
        List<Lane> usual = Lane.of(group);
        return join(listener, group, rank, peer -> usual, clock, deadlineNs, givenUp);
    }

    /**
     * Joins {@code rank} with all other members of {@code group}, over TLS where the listener's
     * {@link LinkSecurity} covers both ends.
     *
     * @param lanes by peer; those of a pair are the same at both ends, in the same order
     * @param deadlineNs when to stop waiting, by {@code clock}
     * @param givenUp asked whenever {@link LinkListener#nudge} is called
     * @throws FaultSignal naming the member that did not answer, is gone, or refused
     */
    public static Mesh join(
            LinkListener listener,
            Group group,
            int rank,
            IntFunction<List<Lane>> lanes,
            Clock clock,
            long deadlineNs,
            BooleanSupplier givenUp)
            throws FaultSignal {
        Mesh mesh = new Mesh();
        RelayChoice relays = RelayChoice.of(group);
        Joining joining = new Joining(listener, group, relays, rank, clock, deadlineNs, givenUp);
        boolean isJoined = false;
        try {
            mesh.join(joining, lanes);
            isJoined = true;
            return mesh;
        } finally {
            if (!isJoined) {
                mesh.close();
            }
            mesh.detours.clear();
        }
    }

    private void join(Joining joining, IntFunction<List<Lane>> lanes) throws FaultSignal {
        Map<Approach, List<Integer>> peers = peers(joining);
        List<Integer> dialled = peers.getOrDefault(Approach.DIALS, List.of());
        for (int peer : dialled) {
            for (Lane lane : lanes.apply(peer)) {
                links.add(joining.dial(peer, lane));
            }
        }
        for (int peer : peers.getOrDefault(Approach.IS_RELAYED, List.of())) {
            int relay = joining.relays().between(joining.rank(), peer).orElseThrow();
            for (Lane lane : lanes.apply(peer)) {
                detours.add(Detour.begin(joining, peer, relay, lane));
            }
        }
        for (int peer : peers.getOrDefault(Approach.TAKES, List.of())) {
            for (Lane lane : lanes.apply(peer)) {
                links.add(joining.take(peer, lane));
            }
        }
        for (int peer : dialled) {
            for (Lane lane : lanes.apply(peer)) {
                joining.awaitWelcome(link(peer, lane), peer);
            }
        }
        for (Detour detour : detours) {
            links.add(detour.complete());
        }
    }

    private static Map<Approach, List<Integer>> peers(Joining joining) throws FaultSignal {
        Map<Approach, List<Integer>> peers = new EnumMap<>(Approach.class);
        for (int peer = 0; peer < joining.group().size(); peer++) {
            if (peer != joining.rank()) {
                peers.computeIfAbsent(joining.approach(peer), any -> new ArrayList<>()).add(peer);
            }
        }
        return peers;
    }

    /** The link of that lane to that rank. */
    public Link link(int rank, Lane lane) {
        for (Link link : links) {
            if (link.peerRank() == rank && link.lane().equals(lane)) {
                return link;
            }
        }
        throw new IllegalArgumentException("no " + lane + " link to rank " + rank);
    }

    /** All links. */
    public List<Link> all() {
        return List.copyOf(links);
    }

    /** Closes all links. */
    @Override
    public void close() {
        detours.forEach(Detour::close);
        links.forEach(Link::close);
    }
}
