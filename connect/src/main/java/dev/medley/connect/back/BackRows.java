package dev.medley.connect.back;

import java.io.IOException;

/** Gives all rows that a destination is to have, one after another. */
@FunctionalInterface
public interface BackRows {
    /** Gives each to {@code taker}. */
    void forEach(Taker taker) throws IOException;

    /** Takes a row. */
    @FunctionalInterface
    interface Taker {
        /** Takes it; it may be kept. */
        void row(BackRow row) throws IOException;
    }
}
