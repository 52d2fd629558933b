package dev.medley.net.link;

import dev.medley.base.Fault;
import java.nio.ByteBuffer;

/**
 * A link under way to a peer that this member reaches only through a relay. Both call the relay,
 * and once it has joined them the one of higher rank greets the other as on any link.
 *
 * @param peer rank at the other end
 * @param call the connection to the relay
 */
record Detour(Joining joining, int peer, Link call) implements AutoCloseable {
    /** Connects to the relay and says who is meant; its answer comes when the peer is there too. */
    static Detour begin(Joining joining, int peer, int relay, Lane lane) throws FaultSignal {
        Detour detour = new Detour(joining, peer, joining.call(relay, lane));
        boolean hasCalled = false;
        try {
            joining.say(detour.call, joining.hello(peer, lane).encodeToRelay(joining.key()));
            hasCalled = true;
            return detour;
        } finally {
            if (!hasCalled) {
                detour.close();
            }
        }
    }

    /** Waits for the relay's answer. */
    void awaitRelay() throws FaultSignal {
        joining.awaitWelcome(call, peer);
    }

    /**
     * Waits for the relay and the peer.
     *
     * @return the link, welcomed at both ends
     */
    Link complete() throws FaultSignal {
        awaitRelay();
        boolean dials = joining.rank() > peer;
        Link link = joining.link(call.channel(), peer, call.lane(), dials);
        joining.secure(link);
        if (dials) {
            joining.say(link, joining.hello(peer, call.lane()).encode(joining.key()));
            joining.awaitWelcome(link, peer);
        } else {
            letIn(link);
        }
        return link;
    }

    /** Closes the connection, which is that of the link too. */
    @Override
    public void close() {
        call.close();
    }

    private void letIn(Link link) throws FaultSignal {
        Hello expected = joining.hello(peer, call.lane()).reversed();
        ByteBuffer frame = joining.hear(link, ByteBuffer.allocate(Hello.FRAME_BYTES), peer);
        ByteBuffer nonce = Hello.nonce(frame);
        boolean isExpected =
                !Hello.isToRelay(frame) && expected.equals(Hello.decode(frame, joining.key()));
        if (!isExpected || !joining.listener().isFirst(nonce, expected)) {
            joining.say(link, new Welcome(Welcome.Verdict.NOT_OF_THIS_RUN, 0).encode());
            throw joining.fault(
                    Fault.Kind.PEER, peer, link.peer() + " began with something else than a hello");
        }
        joining.say(link, new Welcome(Welcome.Verdict.WELCOME, joining.group().epoch()).encode());
    }
}
