package dev.medley.training.server;

import dev.medley.base.memory.Span;
import dev.medley.exchange.post.Letter;
import dev.medley.training.strategy.Part;
import java.util.List;

/**
 * Serves this member's part of the parameters in a group, and tells which members serve the rest.
 * Threads: the training thread begins rounds and ends them, the post's brings letters.
 */
interface Servers extends AutoCloseable {
    /** To whom this member's worker pushes. */
    List<Integer> ranks();

    /** The stretches that one of them serves. For the training thread. */
    Stretches pushedTo(int rank);

    /** A round begins, with parameters that all have alike. */
    void begin(Part part, Span parameters);

    /** A letter has come that is no answer to this member's worker. On the post's thread. */
    void received(int from, Letter letter);

    /** Whether all pushes of the round are applied. Without waiting; locks nothing. */
    boolean isDone();

    /** The rank that the round waits for, as far as this member sees; itself if unknown. */
    int awaited();

    /**
     * The change of what this member holds since the round began.
     *
     * @param into flat memory, zero elsewhere
     */
    void putChange(Span start, Span into);

    /** The round was applied by all. */
    default void applied() {}

    @Override
    void close();
}
