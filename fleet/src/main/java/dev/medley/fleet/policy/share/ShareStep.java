package dev.medley.fleet.policy.share;

/**
 * Holds one Newton step of a {@link ShareProgramme}: by how much shares and level change.
 *
 * @param decrement of the barrier that a whole step promises, squared: gradient times step,
 *     negative
 */
record ShareStep(double[][] shares, double level, double decrement) {
    /** The step at a point inside of all constraints. */
    static ShareStep of(
            ShareProgramme.Row[] rows, double[] capacity, double[][] x, double t, double push) {
        int types = capacity.length;
        double[] left = capacity.clone();
        for (int i = 0; i < x.length; i++) {
            for (int type = 0; type < types; type++) {
                left[type] -= rows[i].workers() * x[i][type];
            }
        }
        // Unknowns that jobs share: flow into each type, and the level.
        double[][] system = new double[types + 1][types + 2];
        double[][][] solved = new double[x.length][][];
        double[] levelGradient = {-push};
        double[] levelCurvature = {0};
        for (int i = 0; i < x.length; i++) {
            solved[i] = job(rows[i], x[i], t, left, levelGradient, levelCurvature);
            double workers = rows[i].workers();
            double[] perGradient = solved[i][0];
            double[] perLevel = solved[i][1];
            double[] coupling = solved[i][2];
            for (int type = 0; type < types; type++) {
                for (int other = 0; other < types; other++) {
                    system[type][other] +=
                            workers
                                    * workers
                                    * solved[i][3 + other][type]
                                    / (left[other] * left[other]);
                    system[types][other] -=
                            coupling[type]
                                    * workers
                                    * solved[i][3 + other][type]
                                    / (left[other] * left[other]);
                }
                system[type][types] += workers * perLevel[type];
                system[type][types + 1] -= workers * perGradient[type];
                system[types][types] -= coupling[type] * perLevel[type];
                system[types][types + 1] += coupling[type] * perGradient[type];
            }
        }
        for (int type = 0; type < types; type++) {
            system[type][type] += 1;
        }
        system[types][types] += levelCurvature[0];
        system[types][types + 1] -= levelGradient[0];
        double[] common = Elimination.solve(system);
        return step(rows, solved, left, common, levelGradient[0], x, t);
    }

    /**
     * What a job's block gives: its inverse times the gradient, times the coupling with the level,
     * that coupling, and the inverse's columns.
     */
    private static double[][] job(
            ShareProgramme.Row row,
            double[] x,
            double t,
            double[] left,
            double[] levelGradient,
            double[] levelCurvature) {
        int types = x.length;
        double rest = 1;
        double gain = -row.need().at(t);
        for (int type = 0; type < types; type++) {
            rest -= x[type];
            gain += row.gain()[type] * x[type];
        }
        double slope = row.need().slope(t);
        levelGradient[0] += slope / gain;
        levelCurvature[0] += slope * slope / (gain * gain) + row.need().curvature(t) / gain;
        double[][] block = new double[types][2 * types];
        double[] gradient = new double[types];
        double[] coupling = new double[types];
        for (int a = 0; a < types; a++) {
            for (int b = 0; b < types; b++) {
                block[a][b] =
                        1 / (rest * rest)
                                + row.gain()[a] * row.gain()[b] / (gain * gain)
                                + (a == b ? 1 / (x[a] * x[a]) : 0);
            }
            block[a][types + a] = 1;
            gradient[a] = -1 / x[a] + 1 / rest + row.workers() / left[a] - row.gain()[a] / gain;
            coupling[a] = -row.gain()[a] * slope / (gain * gain);
        }
        double[][] inverse = Elimination.solveAll(block);
        double[][] out = new double[3 + types][types];
        out[2] = coupling;
        for (int a = 0; a < types; a++) {
            for (int b = 0; b < types; b++) {
                out[0][a] += inverse[a][b] * gradient[b];
                out[1][a] += inverse[a][b] * coupling[b];
                out[3 + b][a] = inverse[a][b];
            }
        }
        return out;
    }

    private static ShareStep step(
            ShareProgramme.Row[] rows,
            double[][][] solved,
            double[] left,
            double[] common,
            double levelGradient,
            double[][] x,
            double t) {
        int types = left.length;
        double[][] shares = new double[rows.length][types];
        double slope = levelGradient * common[types];
        for (int i = 0; i < rows.length; i++) {
            for (int type = 0; type < types; type++) {
                double change = -solved[i][0][type] - solved[i][1][type] * common[types];
                for (int other = 0; other < types; other++) {
                    change -=
                            rows[i].workers()
                                    * solved[i][3 + other][type]
                                    * common[other]
                                    / (left[other] * left[other]);
                }
                shares[i][type] = change;
            }
            slope += gradientTimes(rows[i], x[i], t, left, shares[i]);
        }
        return new ShareStep(shares, common[types], -slope);
    }

    private static double gradientTimes(
            ShareProgramme.Row row, double[] x, double t, double[] left, double[] change) {
        double rest = 1;
        double gain = -row.need().at(t);
        for (int type = 0; type < x.length; type++) {
            rest -= x[type];
            gain += row.gain()[type] * x[type];
        }
        double sum = 0;
        for (int type = 0; type < x.length; type++) {
            sum +=
                    change[type]
                            * (-1 / x[type]
                                    + 1 / rest
                                    + row.workers() / left[type]
                                    - row.gain()[type] / gain);
        }
        return sum;
    }
}
