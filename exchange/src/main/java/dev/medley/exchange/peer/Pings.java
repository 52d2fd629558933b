package dev.medley.exchange.peer;

import dev.medley.base.time.Clock;
import java.util.Arrays;

/** Times the answers to pings; the shortest of several counts. Belongs to the role's holder. */
final class Pings {
    private final Clock clock;
    private final long[] bestNs;
    private final int[] answered;
    private int round;
    private long sentNs;

    Pings(int size, Clock clock) {
        this.clock = clock;
        this.bestNs = new long[size];
        this.answered = new int[size];
        Arrays.fill(bestNs, Long.MAX_VALUE);
    }

    /** A new round goes out now; its number. */
    int begin() {
        sentNs = clock.nowNs();
        return ++round;
    }

    /** A peer answers; an answer to an earlier round does not count. */
    void answered(int peer, int ofRound) {
        if (ofRound == round) {
            answered[peer] = ofRound;
            bestNs[peer] = Math.min(bestNs[peer], clock.nowNs() - sentNs);
        }
    }

    boolean hasAnswered(int peer) {
        return answered[peer] == round;
    }

    /** The shortest round trip to each peer. */
    long[] bestNs() {
        return bestNs.clone();
    }
}
