package dev.medley.exchange.peer;

import dev.medley.base.time.Clock;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import java.nio.ByteBuffer;

/**
 * Measures the bandwidth of a path by trains of bytes on the data link, while nothing else travels.
 * {@link Trains} says how many and how long they are, {@link Train} what the arrival of one tells.
 *
 * <p>So a direction costs some round trips, and 30 to 120 ms of sending; a few times as much where
 * the receiver is held up now and then.
 */
public final class Bursts {
    private static final int BUFFER_BYTES = 64 << 10;
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
     * Probes the path to a peer and back, while it does the same; the lower rank sends first.
     *
     * @param roundTripNs to it
     * @return bytes per second that came from the peer; zero where all of it came at once, which
     *     only says that the path is wide
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
        for (int i = 0; i == 0 || answer.get(0) == MORE; i++) {
            for (int left = Trains.bytes(i); left > 0; left -= BUFFER_BYTES) {
                write(peer, buffer.clear().limit(Math.min(left, BUFFER_BYTES)));
            }
            read(peer, answer.clear());
        }
    }

    private long receive(int peer, long roundTripNs) throws FaultSignal {
        Trains trains = new Trains();
        while (!trains.areEnough()) {
            Train train = new Train(roundTripNs, clock.nowNs());
            for (int left = Trains.bytes(trains.count()); left > 0; left -= buffer.position()) {
                boolean waited = read(peer, buffer.clear().limit(Math.min(left, BUFFER_BYTES)));
                train.arrived(buffer.position(), clock.nowNs(), waited);
            }
            trains.arrived(train);
            write(peer, answer.clear().put(0, trains.areEnough() ? ENOUGH : MORE).rewind());
        }
        return trains.bytesPerSecond();
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

    /** Whether there was nothing at first. */
    private boolean read(int peer, ByteBuffer into) throws FaultSignal {
        boolean waited = false;
        peers.expect(peer);
        while (peers.read(peer, into) == 0) {
            waited = true;
            await(peer, Interest.READ);
        }
        peers.moved();
        return waited;
    }

    private void await(int peer, Interest interest) throws FaultSignal {
        peers.want(peer, interest);
        peers.sleep();
        peers.want(peer, Interest.NONE);
    }
}
