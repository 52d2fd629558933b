package dev.medley.training.gossip;

import dev.medley.base.memory.Span;
import dev.medley.base.route.Neighbours;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Exchanges the letters of a gossip in one group: parameters to a neighbour, and the end of a round
 * to all. Letters of two members are in order, so a member that has heard the latter from all
 * others has all of their weight that was sent to it within the round.
 *
 * <p>Thread: the training thread; what has come is taken in on the post's.
 */
final class RoundLetters {
    private static final int MIX = 1;
    private static final int END = 2;

    private final Post post;
    private final PushSum sum;
    private final Span parameters;
    private final AtomicLongArray ended;
    private Neighbours neighbours;

    RoundLetters(Post post, PushSum sum, Span parameters) {
        this.post = post;
        this.sum = sum;
        this.parameters = parameters;
        this.ended = new AtomicLongArray(post.size());
        this.neighbours = new Neighbours(0, 0, post.size());
    }

    /** From now on letters are taken in. */
    void open() {
        post.open(parameters.bytes(), this::received);
    }

    /** A round begins, with neighbours of its own. */
    void begin(long step, long seed) {
        neighbours = new Neighbours(seed, step, post.size());
    }

    /**
     * Takes in what has come, and sends on where that is possible. What is not finite stays here:
     * it is for this member's own part of its round to say so.
     */
    void mix(long step, int number) {
        sum.mix();
        int to = neighbours.of(post.rank(), number);
        double spare = sum.spare();
        if (to == post.rank() || spare == 0 || !sum.isFinite()) {
            return;
        }
        if (post.offer(to, new Letter(MIX, step, number, spare, 0, 0, parameters))) {
            sum.give(spare);
        }
    }

    /** Tells all, this member too, that what it sends from now on is of later rounds. */
    void end(long step) {
        for (int to = 0; to < post.size(); to++) {
            post.offer(to, Letter.empty(END, step, 0));
        }
    }

    /** Whether all have ended a round. */
    boolean isEnded(long step) {
        return awaited(step) < 0;
    }

    /** Waits until all have ended a round; false if the epoch has ended. */
    boolean await(long step) {
        return post.await(() -> isEnded(step), () -> Math.max(0, awaited(step))) == null;
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

    private void received(int from, Letter letter) {
        if (letter.kind() == MIX) {
            sum.receive(letter.step(), letter.body(), letter.weight());
        } else {
            ended.set(from, letter.step());
            post.changed();
        }
    }
}
