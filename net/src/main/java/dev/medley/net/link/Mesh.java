package dev.medley.net.link;

import dev.medley.base.Clock;
import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * The links of one member to all others of its group, one per lane. Higher ranks dial lower ones;
 * everybody first dials, then takes those who dialled, then reads the answers, so that no order of
 * arrival can lock.
 */
public final class Mesh implements AutoCloseable {
    private static final long NS_PER_MS = 1_000_000;

    private final List<Link> links = new ArrayList<>();

    private Mesh() {}

    /**
     * Joins {@code rank} with all other members of {@code group}.
     *
     * @param deadlineNs when to stop waiting, by {@code clock}
     * @param givenUp asked whenever {@link LinkListener#nudge} is called
     * @throws FaultSignal naming the member that did not answer, is gone, or refused
     */
    public static Mesh join(
            LinkListener listener,
            Group group,
            int rank,
            Clock clock,
            long deadlineNs,
            BooleanSupplier givenUp)
            throws FaultSignal {
        Mesh mesh = new Mesh();
        List<Lane> lanes = Lane.of(group);
        Joining joining = new Joining(listener, group, rank, clock, deadlineNs, givenUp);
        boolean isJoined = false;
        try {
            for (int peer = 0; peer < rank; peer++) {
                for (Lane lane : lanes) {
                    mesh.links.add(joining.dial(peer, lane));
                }
            }
            for (int peer = rank + 1; peer < group.size(); peer++) {
                for (Lane lane : lanes) {
                    mesh.links.add(joining.take(peer, lane));
                }
            }
            for (int peer = 0; peer < rank; peer++) {
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

    /** What is the same for all links while a mesh is being made. */
    private record Joining(
            LinkListener listener,
            Group group,
            int rank,
            Clock clock,
            long deadlineNs,
            BooleanSupplier givenUp) {

        Link dial(int peer, Lane lane) throws FaultSignal {
            Member member = group.members().get(peer);
            SocketChannel channel = null;
            try {
                channel = SocketChannel.open();
                int timeoutMs = (int) Math.min(Math.max(leftNs() / NS_PER_MS, 1), 1 << 30);
                channel.socket()
                        .connect(
                                new InetSocketAddress(member.address(), member.dataPort()),
                                timeoutMs);
                ByteBuffer hello =
                        new Hello(group.epoch(), group.size(), rank, peer, lane)
                                .encode(listener.digest());
                while (hello.hasRemaining()) {
                    channel.write(hello);
                }
                return new Link(channel, peer, name(peer), lane);
            } catch (IOException e) {
                if (channel != null) {
                    closeQuietly(channel);
                }
                throw fault(
                        Fault.Kind.LINK,
                        peer,
                        "cannot reach %s at %s:%d: %s"
                                .formatted(
                                        name(peer),
                                        member.address(),
                                        member.dataPort(),
                                        e.getMessage()));
            }
        }

        Link take(int peer, Lane lane) throws FaultSignal {
            Hello expected = new Hello(group.epoch(), group.size(), peer, rank, lane);
            try {
                SocketChannel caller = listener.take(expected, deadlineNs, givenUp);
                if (caller != null) {
                    return new Link(caller, peer, name(peer), lane);
                }
            } catch (IOException e) {
                throw fault(
                        Fault.Kind.LINK, peer, name(peer) + " dialled and left: " + e.getMessage());
            }
            throw absent(peer);
        }

        void awaitWelcome(Link link) throws FaultSignal {
            ByteBuffer frame = ByteBuffer.allocate(Welcome.FRAME_BYTES);
            try (LinkPoll poll = new LinkPoll()) {
                poll.want(link, Interest.READ);
                while (frame.hasRemaining()) {
                    int count = link.read(frame);
                    if (count < 0) {
                        throw fault(
                                Fault.Kind.PEER,
                                link.peerRank(),
                                link.peer() + " closed the connection before it answered");
                    }
                    if (count == 0) {
                        pause(poll, link.peerRank());
                    }
                }
            }
            check(Welcome.decode(frame.flip()), link);
        }

        private void pause(LinkPoll poll, int peer) throws FaultSignal {
            if (givenUp.getAsBoolean() || leftNs() <= 0) {
                throw absent(peer);
            }
            poll.await(Math.min(leftNs(), 50 * NS_PER_MS), ready -> {});
        }

        private void check(Welcome answer, Link link) throws FaultSignal {
            switch (answer.verdict()) {
                case WELCOME -> {}
                case EPOCH_IS_OVER ->
                        throw fault(
                                Fault.Kind.SEALED,
                                link.peerRank(),
                                "%s refused epoch %d: it lives in epoch %d"
                                        .formatted(
                                                link.peer(), group.epoch(), answer.livingEpoch()));
                case NOT_OF_THIS_RUN ->
                        throw fault(
                                Fault.Kind.PEER,
                                link.peerRank(),
                                link.peer()
                                        + " refused: it belongs to another run or another kind of"
                                        + " machine");
            }
        }

        private FaultSignal absent(int peer) {
            String message =
                    givenUp.getAsBoolean()
                            ? "forming epoch %d was called off while waiting for %s"
                            : "%2$s did not join epoch %1$d in time";
            return fault(
                    givenUp.getAsBoolean() ? Fault.Kind.SEALED : Fault.Kind.PEER,
                    peer,
                    String.format(Locale.ROOT, message, group.epoch(), name(peer)));
        }

        private FaultSignal fault(Fault.Kind kind, int peer, String message) {
            return new FaultSignal(new Fault(kind, name(peer), message));
        }

        private String name(int peer) {
            return group.members().get(peer).worker().toString();
        }

        private long leftNs() {
            return deadlineNs - clock.nowNs();
        }

        private static void closeQuietly(SocketChannel channel) {
            try {
                channel.close();
            } catch (IOException ignored) {
                // The descriptor is gone either way.
            }
        }
    }
}
