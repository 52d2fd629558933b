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

/** What is the same for all links while a mesh is being made; how one link comes to stand. */
record Joining(
        LinkListener listener,
        Group group,
        int rank,
        Clock clock,
        long deadlineNs,
        BooleanSupplier givenUp) {
    private static final long NS_PER_MS = 1_000_000;
    private static final long LOOK_AGAIN_NS = 50 * NS_PER_MS;

    /**
     * Whom this member dials: those of lower rank, but whoever cannot be dialled dials itself.
     *
     * @throws FaultSignal if of this member and another neither can be dialled
     */
    List<Integer> dialled() throws FaultSignal {
        boolean isDialled = group.members().get(rank).isDialled();
        List<Integer> peers = new ArrayList<>();
        for (int peer = 0; peer < group.size(); peer++) {
            boolean isPeerDialled = group.members().get(peer).isDialled();
            if (peer != rank && !isDialled && !isPeerDialled) {
                throw fault(
                        Fault.Kind.LINK,
                        peer,
                        "neither %s nor %s can be dialled, as both are behind NAT: forward ports to one"
                                        .formatted(name(rank), name(peer))
                                + " of them (medley agent --ports, --advertise)");
            }
            if (isPeerDialled && (peer < rank || peer > rank && !isDialled)) {
                peers.add(peer);
            }
        }
        return peers;
    }

    /** Connects to a peer and says hello; on a secured link not before its handshake is through. */
    Link dial(int peer, Lane lane) throws FaultSignal {
        Link link = connect(peer, lane);
        boolean isGreeted = false;
        try (LinkPoll poll = new LinkPoll()) {
            for (Interest wanted = link.handshake();
                    wanted != Interest.NONE;
                    wanted = link.handshake()) {
                pause(poll, link, wanted);
            }
            ByteBuffer hello =
                    new Hello(group.epoch(), group.size(), rank, peer, lane).encode(listener.key());
            link.write(hello);
            while (hello.hasRemaining()) {
                pause(poll, link, Interest.WRITE);
                link.write(hello);
            }
            isGreeted = true;
            return link;
        } finally {
            if (!isGreeted) {
                link.close();
            }
        }
    }

    /** Waits for a peer that dials, and lets it in. */
    Link take(int peer, Lane lane) throws FaultSignal {
        Hello expected = new Hello(group.epoch(), group.size(), peer, rank, lane);
        Caller caller = listener.take(expected, deadlineNs, givenUp);
        if (caller == null) {
            throw absent(peer);
        }
        if (caller.isSecured() != isSecured(peer)) {
            listener.refuseSecuredOtherwise(caller);
            throw fault(
                    Fault.Kind.PEER,
                    peer,
                    name(peer) + " dialled " + otherwise(caller.isSecured()));
        }
        try {
            listener.welcome(caller);
            return caller.link(peer, name(peer), lane);
        } catch (IOException e) {
            caller.close();
            throw fault(Fault.Kind.LINK, peer, name(peer) + " dialled and left: " + e.getMessage());
        }
    }

    /** Waits for the answer of a peer that was dialled. */
    void awaitWelcome(Link link) throws FaultSignal {
        ByteBuffer frame = ByteBuffer.allocate(Welcome.FRAME_BYTES);
        try (LinkPoll poll = new LinkPoll()) {
            while (frame.hasRemaining()) {
                int count = link.read(frame);
                if (count < 0) {
                    throw fault(
                            Fault.Kind.PEER,
                            link.peerRank(),
                            link.peer() + " closed the connection before it answered");
                }
                if (count == 0) {
                    pause(poll, link, Interest.READ);
                }
            }
        }
        check(Welcome.decode(frame.flip()), link);
    }

    private Link connect(int peer, Lane lane) throws FaultSignal {
        Member member = group.members().get(peer);
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            int timeoutMs = (int) Math.min(Math.max(leftNs() / NS_PER_MS, 1), 1 << 30);
            channel.socket()
                    .connect(new InetSocketAddress(member.address(), member.dataPort()), timeoutMs);
            return isSecured(peer)
                    ? Link.secured(channel, tls(channel), peer, name(peer), lane)
                    : Link.plain(channel, peer, name(peer), lane);
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

    private TlsChannel tls(SocketChannel channel) throws IOException {
        return new TlsChannel(
                channel, listener.security().required().dialling(), ByteBuffer.allocate(0));
    }

    private boolean isSecured(int peer) {
        return listener.security().covers(group.members().get(rank), group.members().get(peer));
    }

    private void pause(LinkPoll poll, Link link, Interest wanted) throws FaultSignal {
        if (givenUp.getAsBoolean() || leftNs() <= 0) {
            throw absent(link.peerRank());
        }
        poll.want(link, wanted);
        poll.await(Math.min(leftNs(), LOOK_AGAIN_NS), ready -> {});
    }

    private void check(Welcome answer, Link link) throws FaultSignal {
        switch (answer.verdict()) {
            case WELCOME -> {}
            case EPOCH_IS_OVER ->
                    throw fault(
                            Fault.Kind.SEALED,
                            link.peerRank(),
                            "%s refused epoch %d: it lives in epoch %d"
                                    .formatted(link.peer(), group.epoch(), answer.livingEpoch()));
            case NOT_OF_THIS_RUN ->
                    throw fault(
                            Fault.Kind.PEER,
                            link.peerRank(),
                            link.peer()
                                    + " refused: it belongs to another run or another kind of"
                                    + " machine");
            case SECURED_OTHERWISE ->
                    throw fault(
                            Fault.Kind.PEER,
                            link.peerRank(),
                            "%s refused a link %s"
                                    .formatted(link.peer(), otherwise(link.isSecured())));
        }
    }

    private static String otherwise(boolean isSecured) {
        return (isSecured
                        ? "over TLS where plain text is expected"
                        : "in plain text where TLS is expected")
                + ": all workers need the same links secured, and the same sites";
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
