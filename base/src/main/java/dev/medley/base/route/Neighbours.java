package dev.medley.base.route;

import dev.medley.base.Seeds;
import java.util.random.RandomGenerator;

/**
 * Chooses the member to which each member of a gossip sends next. The choice follows the directed
 * exponential graph with one peer at a time (Assran et al., ICML 2019, arXiv 1811.10792), its
 * members dealt anew in every round. The member at place p sends to the places p + 1, p + 2, p + 4,
 * ... below n, in turn, around the circle.
 *
 * <p>If all send at one pace, each also receives once in each turn, and what one knows reaches all
 * in ceil(log2 n) turns. Nobody has to keep the pace.
 */
public final class Neighbours {
    private final int[] places;
    private final int[] ranks;
    private final int hops;

    /** The members of a round; the same for all that ask with the same arguments. */
    public Neighbours(long seed, long step, int size) {
        places = new int[size];
        ranks = new int[size];
        hops = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(size - 1));
        RandomGenerator random = Seeds.generator(seed, step);
        for (int place = 0; place < size; place++) {
            int other = random.nextInt(place + 1);
            ranks[place] = ranks[other];
            ranks[other] = place;
        }
        for (int place = 0; place < size; place++) {
            places[ranks[place]] = place;
        }
    }

    /** To whom {@code rank} sends the letter of this number, from 0; itself where it is alone. */
    public int of(int rank, long number) {
        int hop = 1 << (int) (number % hops);
        return ranks[(places[rank] + hop) % ranks.length];
    }
}
