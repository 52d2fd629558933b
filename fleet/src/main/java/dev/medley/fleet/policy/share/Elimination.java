package dev.medley.fleet.policy.share;

/** Solves small linear systems by Gaussian elimination with row exchange. */
final class Elimination {
    private Elimination() {}

    /** The solution of {@code [matrix | right]}; the array is overwritten. */
    static double[] solve(double[][] system) {
        double[][] solved = solveAll(system);
        double[] x = new double[solved.length];
        for (int row = 0; row < x.length; row++) {
            x[row] = solved[row][0];
        }
        return x;
    }

    /** The solutions for all right sides of {@code [matrix | rights]}, as columns. */
    static double[][] solveAll(double[][] system) {
        int size = system.length;
        int width = system[0].length;
        for (int column = 0; column < size; column++) {
            int pivot = column;
            for (int row = column + 1; row < size; row++) {
                if (Math.abs(system[row][column]) > Math.abs(system[pivot][column])) {
                    pivot = row;
                }
            }
            double[] top = system[pivot];
            system[pivot] = system[column];
            system[column] = top;
            for (int row = 0; row < size; row++) {
                double factor = row == column ? 0 : system[row][column] / top[column];
                for (int k = column; factor != 0 && k < width; k++) {
                    system[row][k] -= factor * top[k];
                }
            }
        }
        double[][] solution = new double[size][width - size];
        for (int row = 0; row < size; row++) {
            for (int k = size; k < width; k++) {
                solution[row][k - size] = system[row][k] / system[row][row];
            }
        }
        return solution;
    }
}
