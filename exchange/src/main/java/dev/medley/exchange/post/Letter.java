package dev.medley.exchange.post;

import dev.medley.base.memory.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A message from one member to another, with a body. The post moves it as it is; its meaning is
 * between the two.
 *
 * @param kind of the letter, by those who use the post
 * @param step of the loop to which it belongs
 * @param number among the sender's letters of the step
 * @param weight a figure that goes with the body
 * @param rate another
 * @param scale another
 * @param body elements in native order; may be empty
 */
public record Letter(
        int kind, long step, long number, double weight, double rate, double scale, Span body) {
    static final int HEAD_BYTES = 64;

    private static final long MAGIC = 0x6C65747465723031L;
    private static final Span NOTHING = Span.allocate(0);

    /** A letter without a body. */
    public static Letter empty(int kind, long step, long number) {
        return new Letter(kind, step, number, 0, 0, 0, NOTHING);
    }

    /** A buffer for a head. */
    static ByteBuffer blank() {
        return ByteBuffer.allocateDirect(HEAD_BYTES).order(ByteOrder.nativeOrder());
    }

    /** Writes what goes ahead of the body; ready to be read. */
    ByteBuffer head(ByteBuffer head) {
        head.clear();
        head.putLong(MAGIC).putLong(kind).putLong(step).putLong(number);
        head.putDouble(weight).putDouble(rate).putDouble(scale);
        return head.putLong(body.bytes()).flip();
    }

    /** Whether a whole head begins a letter. */
    static boolean isHead(ByteBuffer head) {
        return head.getLong(0) == MAGIC && bodyBytes(head) >= 0;
    }

    /** The length of the body that follows a head. */
    static long bodyBytes(ByteBuffer head) {
        return head.getLong(HEAD_BYTES - Long.BYTES);
    }

    /** The letter of a whole head. */
    static Letter of(ByteBuffer head, Span body) {
        return new Letter(
                (int) head.getLong(8),
                head.getLong(16),
                head.getLong(24),
                head.getDouble(32),
                head.getDouble(40),
                head.getDouble(48),
                body);
    }

    /** The same as a letter of another kind. */
    public Letter as(int other) {
        return new Letter(other, step, number, weight, rate, scale, body);
    }

    /** The same with another body. */
    public Letter with(Span other) {
        return new Letter(kind, step, number, weight, rate, scale, other);
    }
}
