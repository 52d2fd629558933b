package dev.medley.serving;

import dev.medley.base.Seeds;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Draws a share of the requests, one after the other.
 *
 * <p>Thread: any.
 */
public final class DrawnShare {
    private static final double UNIT = 0x1p-53;

    private final double share;
    private final AtomicLong turns = new AtomicLong();

    /** From 0, none of them, to 1, every one. */
    public DrawnShare(double share) {
        this.share = share;
    }

    /** Whether the next one is drawn. */
    public boolean next() {
        return share > 0
                && (share >= 1 || (Seeds.mix(turns.incrementAndGet()) >>> 11) * UNIT < share);
    }
}
