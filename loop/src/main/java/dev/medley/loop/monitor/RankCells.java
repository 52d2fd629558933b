package dev.medley.loop.monitor;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Cuts ranks between 0 and 1 into cells of known width: 32 even ones, of which the outer two are
 * cut finer, since a few rows where none should be are much evidence.
 */
final class RankCells {
    /** Even steps between 0 and 1, on which bets begin and end. */
    static final int STEPS = 32;

    /** How far from the ends cells end, below a step. */
    static final double[] FINE = {1.0 / 1024, 1.0 / 256, 1.0 / 64};

    private static final double[] EDGES =
            DoubleStream.concat(
                            DoubleStream.concat(
                                    IntStream.rangeClosed(0, STEPS)
                                            .mapToDouble(i -> 1.0 * i / STEPS),
                                    DoubleStream.of(FINE)),
                            DoubleStream.of(FINE).map(f -> 1 - f))
                    .sorted()
                    .toArray();

    /** The cell of each 1,024th part; no cell begins within one. */
    private static final int[] CELLS = cells();

    private RankCells() {}

    static int count() {
        return EDGES.length - 1;
    }

    static double begin(int cell) {
        return EDGES[cell];
    }

    static double end(int cell) {
        return EDGES[cell + 1];
    }

    /** The cell that a rank is in. */
    static int of(double rank) {
        return CELLS[Math.min(CELLS.length - 1, (int) (rank * CELLS.length))];
    }

    private static int[] cells() {
        int[] cells = new int[1024];
        int cell = 0;
        for (int i = 0; i < cells.length; i++) {
            while (EDGES[cell + 1] <= (double) i / cells.length) {
                cell++;
            }
            cells[i] = cell;
        }
        return cells;
    }
}
