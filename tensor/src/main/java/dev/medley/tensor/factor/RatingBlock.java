package dev.medley.tensor.factor;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells what of a rank's rows is solved at once. So the rows of the other side that its ratings
 * touch have room in memory: some whole rows, or a piece of one that has too many ratings. Such a
 * row is gathered piece by piece, then solved, and its loss follows piece by piece.
 *
 * @param part of the work
 * @param first code
 * @param end after the last code
 * @param from first rating, counted from the first of the rank's
 * @param to after the last rating
 */
public record RatingBlock(Part part, int first, int end, int from, int to) {
    /** A part of the work. */
    public enum Part {
        /** All of some rows. */
        ROWS,
        /** The equations of a row, so far as a piece of its ratings goes. */
        EQUATIONS,
        /** The loss of a piece of a row's ratings, once the row is solved. */
        LOSS
    }

    /**
     * The blocks of the rows of these codes, in the order of the work.
     *
     * @param counts ratings of each code of the side
     * @param most ratings of a block
     */
    public static List<RatingBlock> of(int[] counts, int first, int end, int most) {
        List<RatingBlock> blocks = new ArrayList<>();
        int begin = first;
        int from = 0;
        int to = 0;
        for (int code = first; code < end; code++) {
            int next = Math.addExact(to, counts[code]);
            if (next - from > most && code > begin) {
                blocks.add(new RatingBlock(Part.ROWS, begin, code, from, to));
                begin = code;
                from = to;
            }
            if (counts[code] > most) {
                addPieces(blocks, Part.EQUATIONS, code, to, next, most);
                addPieces(blocks, Part.LOSS, code, to, next, most);
                begin = code + 1;
                from = next;
            }
            to = next;
        }
        if (begin < end) {
            blocks.add(new RatingBlock(Part.ROWS, begin, end, from, to));
        }
        return blocks;
    }

    private static void addPieces(
            List<RatingBlock> blocks, Part part, int code, int from, int to, int most) {
        for (int at = from; at < to; at = Math.min(to, at + most)) {
            blocks.add(new RatingBlock(part, code, code + 1, at, Math.min(to, at + most)));
        }
    }
}
