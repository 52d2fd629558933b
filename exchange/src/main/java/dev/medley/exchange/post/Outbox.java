package dev.medley.exchange.post;

import dev.medley.base.memory.Span;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds copies of letters that are to go out, in order for each member, and the memory for the next
 * ones.
 *
 * <p>Thread: a monitor. Those who send put letters in, the post's thread takes them out.
 */
final class Outbox {
    /** A letter and the answer to another: more than that a member need not have under way. */
    private static final int MOST_BODIES = 2;

    private final List<Deque<Letter>> letters;
    private final int[] bodies;
    private final Deque<Span> free = new ArrayDeque<>();

    Outbox(int size) {
        letters = Stream.generate(Outbox::none).limit(size).toList();
        bodies = new int[size];
    }

    private static Deque<Letter> none() {
        return new ArrayDeque<>();
    }

    /** Puts a copy in; false if there is no room for its body. */
    boolean offer(int to, Letter letter) {
        return put(to, letter, MOST_BODIES);
    }

    /** Puts a copy in, however many are there. */
    void put(int to, Letter letter) {
        put(to, letter, Integer.MAX_VALUE);
    }

    private boolean put(int to, Letter letter, int mostBodies) {
        long bytes = letter.body().bytes();
        if (bytes == 0) {
            add(to, letter);
            return true;
        }
        Span memory;
        synchronized (this) {
            if (bodies[to] >= mostBodies) {
                return false;
            }
            bodies[to]++;
            memory = takeFree(bytes);
        }
        // The copy is made outside of the monitor, so that nobody waits for it.
        Span copy = memory == null ? Span.allocate(bytes) : memory;
        copy.copyFrom(letter.body());
        add(to, letter.with(copy));
        return true;
    }

    /** The letter to a member that is to go next, or null. */
    synchronized @Nullable Letter next(int to) {
        return letters.get(to).peek();
    }

    /** The letter that was to go next has gone. */
    synchronized void gone(int to) {
        Letter letter = letters.get(to).remove();
        if (letter.body().bytes() > 0) {
            bodies[to]--;
            free.add(letter.body());
        }
    }

    private synchronized void add(int to, Letter letter) {
        letters.get(to).add(letter);
    }

    private @Nullable Span takeFree(long bytes) {
        for (var each = free.iterator(); each.hasNext(); ) {
            Span span = each.next();
            if (span.bytes() == bytes) {
                each.remove();
                return span;
            }
        }
        return null;
    }
}
