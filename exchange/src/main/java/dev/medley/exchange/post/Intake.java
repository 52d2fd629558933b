package dev.medley.exchange.post;

import dev.medley.base.Fault;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Link;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in the letters that arrive. What cannot be taken in is a fault of who wrote it, which ends
 * the step, and not this worker.
 *
 * @param handler takes them in
 * @param mostBytes that a body may have
 */
record Intake(Post.Handler handler, long mostBytes) {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

    /** Complains about a letter that is announced with a longer body. */
    void require(Link from, long bodyBytes) throws FaultSignal {
        if (bodyBytes > mostBytes) {
            String what = "%s sent a letter of %d bytes, and none has more than %d";
            throw of(from, what.formatted(from.peer(), bodyBytes, mostBytes));
        }
    }

    /** Hands a letter over. */
    void take(Link from, Letter letter) throws FaultSignal {
        try {
            handler.received(from.peerRank(), letter);
        } catch (RuntimeException e) {
            LOG.error("a letter of {} cannot be taken in", from.peer(), e);
            throw of(from, from.peer() + " sent a letter that cannot be taken in: " + e);
        }
    }

    private static FaultSignal of(Link from, String what) {
        return new FaultSignal(new Fault(Fault.Kind.PEER, from.peer(), what));
    }
}
