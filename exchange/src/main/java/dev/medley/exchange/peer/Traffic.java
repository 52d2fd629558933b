package dev.medley.exchange.peer;

import dev.medley.base.Clock;
import dev.medley.base.Group;
import dev.medley.exchange.peer.LinkTraffic.Reach;
import java.util.ArrayList;
import java.util.List;

/** Counts bytes by peer; belongs to the role's holder. The clock is read for other sites alone. */
final class Traffic {
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

    void sent(int peer, long bytes) {
        sent[peer] += bytes;
    }

    void spared(int peer, long bytes) {
        spared[peer] += bytes;
    }

    void received(int peer, int bytes) {
        received[peer] += bytes;
        if (bytes > 0 && reaches[peer] == Reach.BETWEEN_SITES) {
            long now = clock.nowNs();
            long gap = now - lastNs[peer];
            receivingNs[peer] += gap < PAUSE_NS ? gap : 0;
            lastNs[peer] = now;
        }
    }

    /** Bytes that came beside the sums: they say nothing of how fast the link was. */
    void receivedBeside(int peer, long bytes) {
        received[peer] += bytes;
        beside[peer] += bytes;
    }

    /** What went to and came from each peer since the last call, in order of rank. */
    List<LinkTraffic> take() {
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
