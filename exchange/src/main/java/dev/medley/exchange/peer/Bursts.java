package dev.medley.exchange.peer;

import dev.medley.base.Clock;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import java.nio.ByteBuffer;

/**
 * Measures what a way carries, by trains of bytes on the data link, while nothing else is under
 * way.
 *
 * <p>The receiver times how far apart a train's bytes arrive (packet-train dispersion, Dovrolis,
 * Ramanathan, Moore 2001): the first read only starts the clock, so latency does not count. A
 * window that has not grown yet makes the sender wait for an answer, which the receiver sees as a
 * silence of nearly a round trip: up to {@value #MOST_SILENCES} such silences are taken out, and
 * what the first read behind one brings does not count either. Trains get longer, and the window
 * with them, until one took {@value #ENOUGH_MS} ms to arrive: 16 KiB are enough for 4 Mbit/s, 1 MiB
 * goes twice where a way is so wide that a busy process disturbs more than the way does. The
 * longest trains count, the faster of two.
 *
 * <p>So a direction costs some round trips, and 30 to 120 ms of sending.
 */
public final class Bursts {
    private static final int[] TRAIN_BYTES = {16 << 10, 64 << 10, 256 << 10, 1 << 20, 1 << 20};
    private static final int BUFFER_BYTES = 64 << 10;
    private static final long ENOUGH_MS = 30;
    private static final int MOST_SILENCES = 3;
    private static final int SILENT_PART = 4;
    private static final long SHORTEST_SILENCE_NS = 5_000_000;
    private static final long NS_PER_MS = 1_000_000;
    private static final double NS_PER_SECOND = 1e9;
    private static final byte MORE = 1;
    private static final byte ENOUGH = 2;

    private final Peers peers;
    private final Clock clock;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(1);

    /** Bursts to and from {@code peers}; belongs to the role's holder. */
    public Bursts(Peers peers, Clock clock) {
        this.peers = peers;
        this.clock = clock;
    }

    /**
     * Probes the way to a peer and back, while it does the same; the lower rank sends first.
     *
     * @param roundTripNs to it
     * @return bytes per second that came from the peer; zero where all of it came at once, which
     *     only says that the way is wide
     * @throws FaultSignal naming the peer if its link drops
     */
    public long exchange(int peer, long roundTripNs) throws FaultSignal {
        if (peers.rank() < peer) {
            send(peer);
            return receive(peer, roundTripNs);
        }
        long rate = receive(peer, roundTripNs);
        send(peer);
        return rate;
    }

    private void send(int peer) throws FaultSignal {
        for (int bytes : TRAIN_BYTES) {
            for (int left = bytes; left > 0; left -= BUFFER_BYTES) {
                write(peer, buffer.clear().limit(Math.min(left, BUFFER_BYTES)));
            }
            answer.clear();
            while (answer.hasRemaining()) {
                read(peer, answer);
            }
            if (answer.get(0) == ENOUGH) {
                return;
            }
        }
    }

    private long receive(int peer, long roundTripNs) throws FaultSignal {
        long best = 0;
        int longest = 0;
        for (int i = 0; i < TRAIN_BYTES.length; i++) {
            Train train = new Train(roundTripNs);
            for (int left = TRAIN_BYTES[i]; left > 0; left -= buffer.position()) {
                read(peer, buffer.clear().limit(Math.min(left, BUFFER_BYTES)));
                train.arrived(buffer.position(), clock.nowNs());
            }
            best = TRAIN_BYTES[i] > longest ? train.rate() : Math.max(best, train.rate());
            longest = TRAIN_BYTES[i];
            boolean isEnough =
                    train.tookNs() >= ENOUGH_MS * NS_PER_MS || i == TRAIN_BYTES.length - 1;
            write(peer, answer.clear().put(0, isEnough ? ENOUGH : MORE));
            if (isEnough) {
                break;
            }
        }
        return best;
    }

    private void write(int peer, ByteBuffer from) throws FaultSignal {
        peers.expect(peer);
        while (from.hasRemaining()) {
            if (peers.write(peer, from) > 0) {
                peers.moved();
            } else {
                await(peer, Interest.WRITE);
            }
        }
    }

    private void read(int peer, ByteBuffer into) throws FaultSignal {
        peers.expect(peer);
        while (peers.read(peer, into) == 0) {
            await(peer, Interest.READ);
        }
        peers.moved();
    }

    private void await(int peer, Interest interest) throws FaultSignal {
        peers.want(peer, interest);
        peers.sleep();
        peers.want(peer, Interest.NONE);
    }

    /** The arrival of one train. */
    static final class Train {
        private final long silenceNs;
        private boolean hasBegun;
        private int silences;
        private long lastNs;
        private long tookNs;
        private long bytes;

        Train(long roundTripNs) {
            this.silenceNs = Math.max(roundTripNs / SILENT_PART, SHORTEST_SILENCE_NS);
        }

        void arrived(int count, long nowNs) {
            long gapNs = nowNs - lastNs;
            boolean isSilence = hasBegun && gapNs > silenceNs && silences < MOST_SILENCES;
            if (isSilence) {
                silences++;
            } else if (hasBegun) {
                tookNs += gapNs;
                bytes += count;
            }
            hasBegun = true;
            lastNs = nowNs;
        }

        /** Time in which bytes arrived. */
        long tookNs() {
            return tookNs;
        }

        /** Bytes per second; zero if there was no time between them. */
        long rate() {
            return tookNs == 0 ? 0 : (long) (bytes / (tookNs / NS_PER_SECOND));
        }
    }
}
