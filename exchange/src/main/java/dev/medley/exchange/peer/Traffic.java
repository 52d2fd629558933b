package dev.medley.exchange.peer;

import dev.medley.base.Group;
import dev.medley.base.time.Clock;
import dev.medley.exchange.peer.LinkTraffic.Reach;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts bytes, in all and by peer. The clock is read only for other sites.
 *
 * <p>Thread: the holder of the role.
 */
public final class Traffic {
    /** Longer than this between two reads, and the link was idle rather than slow. */
    private static final long PAUSE_NS = 50_000_000;

    private final Clock clock;
    private final int rank;
    private final Reach[] reaches;
    private final long[] sent;
    private final long[] spared;
    private final long[] received;
    private final long[] beside;
    private final long[] receivingNs;
    private final long[] lastNs;
    private long allSent;
    private long allReceived;

    Traffic(Group group, int rank, Clock clock) {
        int size = group.size();
        this.clock = clock;
        this.rank = rank;
        this.reaches = new Reach[size];
        this.sent = new long[size];
        this.spared = new long[size];
        this.received = new long[size];
        this.beside = new long[size];
        this.receivingNs = new long[size];
        this.lastNs = new long[size];
        String here = group.members().get(rank).site();
        for (int peer = 0; peer < size; peer++) {
            boolean isHere = group.members().get(peer).site().equals(here);
            reaches[peer] = isHere ? Reach.INSIDE_SITE : Reach.BETWEEN_SITES;
        }
    }

    /** Bytes that were written to a peer. */
    public void sent(int peer, long bytes) {
        allSent += bytes;
        sent[peer] += bytes;
    }

    /** Bytes that a codec kept from being sent to a peer. */
    public void spared(int peer, long bytes) {
        spared[peer] += bytes;
    }

    /** Bytes that were read from a peer. */
    void received(int peer, int bytes) {
        allReceived += bytes;
        received[peer] += bytes;
        if (bytes > 0 && reaches[peer] == Reach.BETWEEN_SITES) {
            long now = clock.nowNs();
            long gap = now - lastNs[peer];
            receivingNs[peer] += gap < PAUSE_NS ? gap : 0;
            lastNs[peer] = now;
        }
    }

    /**
     * Bytes of letters, which a thread of their own moved. What came of them came beside the sums,
     * and says nothing of how fast the link was.
     */
    public void letters(int peer, long sentBytes, long sparedBytes, long receivedBytes) {
        sent(peer, sentBytes);
        spared(peer, sparedBytes);
        allReceived += receivedBytes;
        received[peer] += receivedBytes;
        beside[peer] += receivedBytes;
    }

    /** Bytes that were moved through memory. */
    public void moved(long sentBytes, long receivedBytes) {
        allSent += sentBytes;
        allReceived += receivedBytes;
    }

    /** Bytes sent since the last call, to all. */
    public long takeSent() {
        long taken = allSent;
        allSent = 0;
        return taken;
    }

    /** Bytes received since the last call, from all. */
    public long takeReceived() {
        long taken = allReceived;
        allReceived = 0;
        return taken;
    }

    /** The bytes to and from each peer over its links since the last call, by rank. */
    public List<LinkTraffic> take() {
        List<LinkTraffic> links = new ArrayList<>();
        for (int peer = 0; peer < sent.length; peer++) {
            if (peer != rank) {
                links.add(
                        new LinkTraffic(
                                peer,
                                reaches[peer],
                                sent[peer],
                                spared[peer],
                                received[peer],
                                beside[peer],
                                receivingNs[peer]));
            }
            sent[peer] = 0;
            spared[peer] = 0;
            received[peer] = 0;
            beside[peer] = 0;
            receivingNs[peer] = 0;
        }
        return List.copyOf(links);
    }
}
