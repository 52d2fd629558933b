package dev.medley.data.token;

import java.util.function.IntConsumer;

/** Cuts texts into tokens and puts tokens together again. One owner. */
public interface Tokenizer {
    /** Tokens of a text, in order; nothing is put before or after them. */
    void encode(CharSequence text, IntConsumer tokens);

    /** The text of tokens. */
    String decode(long[] tokens);

    /**
     * The place up to which a text is cut the same whatever follows it; 0 if there is none yet.
     *
     * @param text a beginning of a longer one
     */
    int settled(CharSequence text);
}
