package dev.medley.training.strategy;

import dev.medley.base.memory.Span;
import dev.medley.base.route.Neighbours;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;

/**
 * The letters of a gossip in one group: parameters to a neighbour, and to all that nothing more
 * comes in a round. Letters of two are in order, so whoever has heard the latter from all others
 * has all of their weight that was meant for it.
 *
 * <p>Thread: the training thread, but for {@link #end}, which may come from any; what has come is
 * taken in on the post's.
 */
final class RoundLetters {
    private static final int MIX = 1;
    private static final int END = 2;
    private static final double LEAST_WEIGHT = 0.5;

    private final Post post;
    private final PushSum sum;
    private final Span parameters;
    private final AtomicLongArray ended;
    private Neighbours neighbours;

    /** Hears who has ended which round, on the post's thread; must not wait for letters. */
    @FunctionalInterface
    interface EndListener {
        /** Nobody hears. */
        EndListener NONE = (rank, step) -> {};

        /** All letters of this rank have come that belong to rounds up to this one. */
        void ended(int rank, long step);
    }

    RoundLetters(Post post, PushSum sum, Span parameters) {
        this.post = post;
        this.sum = sum;
        this.parameters = parameters;
        this.ended = new AtomicLongArray(post.size());
        this.neighbours = new Neighbours(0, 0, post.size());
    }

    /** The least weight by which a rate is divided: who has less sends nothing either. */
    static double leastWeight() {
        return LEAST_WEIGHT;
    }

    /** From now on letters are taken in. */
    void open(EndListener listener) {
        post.open((from, letter) -> received(from, letter, listener));
    }

    /** A round begins, with neighbours of its own. */
    void begin(long step, long seed) {
        neighbours = new Neighbours(seed, step, post.size());
    }

    /** Takes in what has come, and sends on where that is possible. */
    void mix(long step, int number) {
        sum.mix();
        int to = neighbours.of(post.rank(), number);
        if (to == post.rank() || ended.get(to) >= step || sum.weight() < LEAST_WEIGHT) {
            return;
        }
        double half = sum.weight() / 2;
        if (post.offer(to, new Letter(MIX, step, number, half, 0, 0, parameters))) {
            sum.give();
        }
    }

    /** Tells all, this member too, that it sends nothing more in a round. */
    void end(long step) {
        for (int to = 0; to < post.size(); to++) {
            post.offer(to, Letter.empty(END, step, 0));
        }
    }

    /** Whether all have ended a round. */
    boolean isEnded(long step) {
        return awaited(step) < 0;
    }

    /**
     * Waits until something is there that follows from the end of a round.
     *
     * @param isThere does not lock anything
     * @return false if the epoch has ended
     */
    boolean await(long step, BooleanSupplier isThere) {
        return post.await(isThere, () -> Math.max(0, awaited(step))) == null;
    }

    /** The first rank that has not ended a round; -1 if all have. */
    private int awaited(long step) {
        for (int rank = 0; rank < ended.length(); rank++) {
            if (ended.get(rank) < step) {
                return rank;
            }
        }
        return -1;
    }

    private void received(int from, Letter letter, EndListener listener) {
        if (letter.kind() == MIX) {
            sum.receive(letter.body(), letter.weight());
        } else {
            ended.set(from, letter.step());
            listener.ended(from, letter.step());
            post.changed();
        }
    }
}
