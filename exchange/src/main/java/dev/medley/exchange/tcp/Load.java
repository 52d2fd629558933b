package dev.medley.exchange.tcp;

import java.util.List;

/**
 * What one slice sends over one stream: some of its cells, in order.
 *
 * @param passage of the slice
 * @param freight what travels
 * @param form whether the cells travel as they are
 * @param cells their indices, at least one
 */
record Load(Passage passage, Freight freight, Form form, List<Integer> cells) {
    /** How cells travel. */
    enum Form {
        PLAIN,
        CODED
    }

    /** Whether the cells go through the codec. */
    boolean isCoded() {
        return form == Form.CODED;
    }

    /** Bytes of a cell on its way. */
    int bytes(int cell) {
        return isCoded() ? passage.encodedBytes(cell) : passage.cellBytes(cell);
    }

    /** What travels over a stream. */
    enum Freight {
        /** A rank's own values, to the owner at its site. */
        VALUES(Passage.Stage.OWN),
        /** A site's sum, to the owner at another site. */
        SITE_SUM(Passage.Stage.SITE),
        /** The whole sum, to whoever has not got it. */
        WHOLE_SUM(Passage.Stage.WHOLE);

        private final Passage.Stage stage;

        Freight(Passage.Stage stage) {
            this.stage = stage;
        }

        /** How far a cell must have come before it can go. */
        Passage.Stage stage() {
            return stage;
        }
    }
}
