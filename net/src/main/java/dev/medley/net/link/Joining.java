package dev.medley.net.link;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.route.RelayChoice;
import dev.medley.base.time.Clock;
import dev.medley.net.tls.Credentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLEngine;

/**
 * The state that all links share while a mesh is being made, with the steps that bring up one link.
 *
 * @param relays the relay of each pair of members that cannot reach each other
 */
record Joining(
        LinkListener listener,
        Group group,
        RelayChoice relays,
        int rank,
        Clock clock,
        long deadlineNs,
        BooleanSupplier givenUp) {
    private static final long NS_PER_MS = 1_000_000;
    private static final long LOOK_AGAIN_NS = 50 * NS_PER_MS;

    /** How a member comes to a link with another. */
    enum Approach {
        DIALS,
        TAKES,
        /** They do not reach each other: both dial a relay. */
        IS_RELAYED
    }

    /**
     * A member dials those of lower rank, but whoever cannot be dialled dials itself.
     *
     * @throws FaultSignal if of this member and another neither can be dialled, and nobody can
     */
    Approach approach(int peer) throws FaultSignal {
        if (relays.between(rank, peer).isPresent()) {
            return Approach.IS_RELAYED;
        }
        boolean isDialled = group.members().get(rank).isDialled();
        boolean isPeerDialled = group.members().get(peer).isDialled();
        if (isDialled || isPeerDialled) {
            boolean dials = isPeerDialled && (peer < rank || !isDialled);
            return dials ? Approach.DIALS : Approach.TAKES;
        }
        throw fault(
                Fault.Kind.LINK,
                peer,
                "neither %s nor %s can be dialled, as both are behind NAT: forward ports to one"
                                .formatted(name(rank), name(peer))
                        + " of them (medley agent --ports, --advertise)");
    }

    /** Connects to a peer and says hello; on a secured link not before its handshake is through. */
    Link dial(int peer, Lane lane) throws FaultSignal {
        Link link = link(connect(peer), peer, lane, true);
        boolean isGreeted = false;
        try {
            secure(link);
            say(link, hello(peer, lane).encode(key()));
            isGreeted = true;
            return link;
        } finally {
            if (!isGreeted) {
                link.close();
            }
        }
    }

    /** Connects to a relay; what is said to it is plain. */
    Link call(int relay, Lane lane) throws FaultSignal {
        SocketChannel channel = connect(relay);
        try {
            return Link.plain(channel, relay, name(relay), lane);
        } catch (IOException e) {
            throw broken(channel, relay, e);
        }
    }

    /** The hello of this member on a link that it dials. */
    Hello hello(int peer, Lane lane) {
        return new Hello(group.epoch(), group.size(), rank, peer, lane);
    }

    RunKey key() {
        return listener.key();
    }

    /** Goes through the handshake of a link that is secured. */
    void secure(Link link) throws FaultSignal {
        try (LinkPoll poll = new LinkPoll()) {
            for (Interest wanted = link.handshake();
                    wanted != Interest.NONE;
                    wanted = link.handshake()) {
                pause(poll, link, wanted, link.peerRank());
            }
        }
    }

    void say(Link link, ByteBuffer frame) throws FaultSignal {
        try (LinkPoll poll = new LinkPoll()) {
            link.write(frame);
            while (frame.hasRemaining()) {
                pause(poll, link, Interest.WRITE, link.peerRank());
                link.write(frame);
            }
        }
    }

    /** The next bytes of a link, as many as {@code frame} holds; who is waited for is at fault. */
    ByteBuffer hear(Link link, ByteBuffer frame, int awaited) throws FaultSignal {
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
                    pause(poll, link, Interest.READ, awaited);
                }
            }
        }
        return frame.flip();
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

    /**
     * Waits for the answer on a link that was dialled, which comes when {@code awaited} is there.
     */
    void awaitWelcome(Link link, int awaited) throws FaultSignal {
        ByteBuffer frame = hear(link, ByteBuffer.allocate(Welcome.FRAME_BYTES), awaited);
        check(Welcome.decode(frame), link);
    }

    /**
     * A connection to where a member says that it listens. Who cannot reach it says so a while
     * before others, who wait for either of the two, give up without knowing why.
     */
    private SocketChannel connect(int peer) throws FaultSignal {
        Member member = group.members().get(peer);
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            long patienceNs = leftNs() / 4 * 3;
            int timeoutMs = (int) Math.min(Math.max(patienceNs / NS_PER_MS, 1), 1 << 30);
            channel.socket()
                    .connect(new InetSocketAddress(member.address(), member.dataPort()), timeoutMs);
            return channel;
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

    /** The link over a channel on which nothing was said yet, secured if it has to be. */
    Link link(SocketChannel channel, int peer, Lane lane, boolean dials) throws FaultSignal {
        try {
            if (!isSecured(peer)) {
                return Link.plain(channel, peer, name(peer), lane);
            }
            Credentials own = listener.security().required();
            SSLEngine engine = dials ? own.dialling() : own.answering();
            TlsChannel secured = new TlsChannel(channel, engine, ByteBuffer.allocate(0));
            return Link.secured(channel, secured, peer, name(peer), lane);
        } catch (IOException e) {
            throw broken(channel, peer, e);
        }
    }

    /**
     * Where one of the two ways to a relay has to be secured, all of it has to be: the two at the
     * ends secure it as a whole.
     */
    private boolean isSecured(int peer) {
        OptionalInt relay = relays.between(rank, peer);
        return covers(rank, peer)
                || relay.isPresent()
                        && (covers(rank, relay.getAsInt()) || covers(peer, relay.getAsInt()));
    }

    private boolean covers(int one, int other) {
        return listener.security().covers(group.members().get(one), group.members().get(other));
    }

    private void pause(LinkPoll poll, Link link, Interest wanted, int awaited) throws FaultSignal {
        if (givenUp.getAsBoolean() || leftNs() <= 0) {
            throw absent(awaited);
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

    private FaultSignal broken(SocketChannel channel, int peer, IOException e) {
        closeQuietly(channel);
        return fault(
                Fault.Kind.LINK,
                peer,
                "the connection to %s broke: %s".formatted(name(peer), e.getMessage()));
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

    /** A fault of a peer, which says if the way there goes through a relay. */
    FaultSignal fault(Fault.Kind kind, int peer, String message) {
        OptionalInt relay = relays.between(rank, peer);
        String way = relay.isPresent() ? " (through " + name(relay.getAsInt()) + ")" : "";
        return new FaultSignal(new Fault(kind, name(peer), message + way));
    }

    private String name(int peer) {
        return group.members().get(peer).worker().toString();
    }

    private long leftNs() {
        return deadlineNs - clock.awakeNs();
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException ignored) {
            // The descriptor is gone either way.
        }
    }
}
