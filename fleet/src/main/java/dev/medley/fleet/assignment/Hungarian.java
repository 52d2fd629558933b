package dev.medley.fleet.assignment;

import java.util.Arrays;

/**
 * Solves the assignment problem by shortest augmenting paths with potentials (Jonker and Volgenant,
 * 1987), in rows squared times columns.
 */
public final class Hungarian {
    private Hungarian() {}

    /**
     * The column of each row, each column at most once, so that the sum of the costs is least. Of
     * equal sums always the same one.
     *
     * @param cost rows of equal length, not fewer columns than rows, finite
     */
    public static int[] minimum(double[][] cost) {
        int rows = cost.length;
        if (rows == 0) {
            return new int[0];
        }
        int columns = cost[0].length;
        if (columns < rows) {
            throw new IllegalArgumentException(rows + " rows for " + columns + " columns");
        }
        double[] rowPotential = new double[rows + 1];
        double[] columnPotential = new double[columns + 1];
        int[] rowOf = new int[columns + 1];
        int[] before = new int[columns + 1];
        for (int row = 1; row <= rows; row++) {
            rowOf[0] = row;
            int column = 0;
            double[] least = new double[columns + 1];
            Arrays.fill(least, Double.POSITIVE_INFINITY);
            boolean[] used = new boolean[columns + 1];
            do {
                used[column] = true;
                int at = rowOf[column];
                double delta = Double.POSITIVE_INFINITY;
                int next = 0;
                for (int c = 1; c <= columns; c++) {
                    if (!used[c]) {
                        double reduced =
                                cost[at - 1][c - 1] - rowPotential[at] - columnPotential[c];
                        if (reduced < least[c]) {
                            least[c] = reduced;
                            before[c] = column;
                        }
                        if (least[c] < delta) {
                            delta = least[c];
                            next = c;
                        }
                    }
                }
                for (int c = 0; c <= columns; c++) {
                    if (used[c]) {
                        rowPotential[rowOf[c]] += delta;
                        columnPotential[c] -= delta;
                    } else {
                        least[c] -= delta;
                    }
                }
                column = next;
            } while (rowOf[column] != 0);
            while (column != 0) {
                rowOf[column] = rowOf[before[column]];
                column = before[column];
            }
        }
        int[] columnOf = new int[rows];
        for (int column = 1; column <= columns; column++) {
            if (rowOf[column] != 0) {
                columnOf[rowOf[column] - 1] = column - 1;
            }
        }
        return columnOf;
    }
}
