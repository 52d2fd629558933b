package dev.medley.exchange.post;

import java.util.concurrent.atomic.AtomicLongArray;

/** Counts bytes of letters by member, since they were last asked for. From any thread. */
final class LetterTraffic {
    private final AtomicLongArray sent;
    private final AtomicLongArray spared;
    private final AtomicLongArray received;

    LetterTraffic(int size) {
        sent = new AtomicLongArray(size);
        spared = new AtomicLongArray(size);
        received = new AtomicLongArray(size);
    }

    void sent(int peer, long bytes) {
        sent.addAndGet(peer, bytes);
    }

    /** A codec kept them from being sent. */
    void spared(int peer, long bytes) {
        spared.addAndGet(peer, bytes);
    }

    void received(int peer, long bytes) {
        received.addAndGet(peer, bytes);
    }

    /** Tells of all members but one, which is this one. */
    void take(int but, Post.TrafficListener listener) {
        for (int peer = 0; peer < sent.length(); peer++) {
            if (peer != but) {
                listener.moved(
                        peer,
                        sent.getAndSet(peer, 0),
                        spared.getAndSet(peer, 0),
                        received.getAndSet(peer, 0));
            }
        }
    }
}
