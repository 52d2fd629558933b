package dev.medley.net.link;

import dev.medley.base.Clock;
import dev.medley.base.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The links of one member to all others of its group, one per lane. Higher ranks dial lower ones,
 * but nobody dials a member that cannot be dialled, which dials all others instead; everybody first
 * dials, then takes those who dialled, then reads the answers, so that no order of arrival can
 * lock.
 */
public final class Mesh implements AutoCloseable {
    private static final List<Lane> NO_LANES = List.of();

    private final List<Link> links = new ArrayList<>();

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
        return join(listener, group, rank, Lane.of(group), clock, deadlineNs, givenUp);
    }

    /**
     * Joins {@code rank} with all other members of {@code group}, over TLS where the listener's
     * {@link LinkSecurity} covers both ends.
     *
     * @param lanes the same for all members
     * @param deadlineNs when to stop waiting, by {@code clock}
     * @param givenUp asked whenever {@link LinkListener#nudge} is called
     * @throws FaultSignal naming the member that did not answer, is gone, or refused
     */
    public static Mesh join(
            LinkListener listener,
            Group group,
            int rank,
            List<Lane> lanes,
            Clock clock,
            long deadlineNs,
            BooleanSupplier givenUp)
            throws FaultSignal {
        Mesh mesh = new Mesh();
        Joining joining = new Joining(listener, group, rank, clock, deadlineNs, givenUp);
        boolean isJoined = false;
        try {
            List<Integer> dialled = joining.dialled();
            for (int peer : dialled) {
                for (Lane lane : lanes) {
                    mesh.links.add(joining.dial(peer, lane));
                }
            }
            for (int peer = 0; peer < group.size(); peer++) {
                for (Lane lane : peer == rank || dialled.contains(peer) ? NO_LANES : lanes) {
                    mesh.links.add(joining.take(peer, lane));
                }
            }
            for (int peer : dialled) {
                for (Lane lane : lanes) {
                    joining.awaitWelcome(mesh.link(peer, lane));
                }
            }
            isJoined = true;
            return mesh;
        } finally {
            if (!isJoined) {
                mesh.close();
            }
        }
    }

    /** The link of that lane to that rank. */
    public Link link(int rank, Lane lane) {
        for (Link link : links) {
            if (link.peerRank() == rank && link.lane() == lane) {
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
        links.forEach(Link::close);
    }
}
