package dev.medley.net.link;

import java.nio.channels.SelectionKey;

/** The readiness that the holder of a link waits for. */
public enum Interest {
    NONE(0),
    READ(SelectionKey.OP_READ),
    WRITE(SelectionKey.OP_WRITE),
    BOTH(SelectionKey.OP_READ | SelectionKey.OP_WRITE);

    private final int operations;

    Interest(int operations) {
        this.operations = operations;
    }

    /** The interest that is made of these two wishes. */
    public static Interest of(Interest one, Interest other) {
        if (one == other || other == NONE) {
            return one;
        }
        return one == NONE ? other : BOTH;
    }

    int operations() {
        return operations;
    }
}
