package dev.medley.exchange.tcp;

import dev.medley.exchange.codec.Codec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells that one slice sends over one stream, in order.
 *
 * @param passage of the slice
 * @param freight what travels
 * @param from the site that sends it to another; {@link #INSIDE} within a site
 * @param cells their indices, at least one
 */
record Load(SliceProgress passage, Freight freight, int from, List<Integer> cells) {
    static final int INSIDE = -1;

    /** The codec of a cell; null for none. */
    @Nullable Codec codec(int cell) {
        return from == INSIDE ? null : passage.codec(cell, from, freight);
    }

    /** Bytes of a cell on its way. */
    int bytes(int cell) {
        Codec codec = codec(cell);
        return codec == null ? passage.cellBytes(cell) : passage.encodedBytes(cell, codec);
    }

    /** The kind of bytes that travel over a stream. */
    enum Freight {
        /** A rank's own values, to the owner at its site. */
        VALUES(SliceProgress.Stage.OWN),
        /** A site's sum, to the owner at another site. */
        SITE_SUM(SliceProgress.Stage.SITE),
        /** The whole sum, to whoever has not got it. */
        WHOLE_SUM(SliceProgress.Stage.WHOLE);

        private final SliceProgress.Stage stage;

        Freight(SliceProgress.Stage stage) {
            this.stage = stage;
        }

        /** How far a cell must have come before it can go. */
        SliceProgress.Stage stage() {
            return stage;
        }
    }
}
