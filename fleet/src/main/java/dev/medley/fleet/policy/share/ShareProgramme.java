package dev.medley.fleet.policy.share;

import dev.medley.fleet.view.MachineType;
import java.util.List;

/**
 * Finds shares that make a common level as great as it can be: maximise t where the gain of each
 * job's shares is at least what it needs for t, no job has more than all of the time, and no type
 * more than all of its machines. Solved by a primal barrier method with Newton steps (Boyd and
 * Vandenberghe, Convex Optimization, 2004, 11.3); jobs meet only in the types' capacity and in t,
 * so a step is linear in jobs.
 *
 * <p>Where many shares are best, the result lies in the middle of them (the analytic centre), as
 * that of other interior-point solvers: rounds by shares then spread jobs over types.
 */
final class ShareProgramme {
    private static final double PRECISION = 1e-8;
    private static final int NEWTON_STEPS = 40;

    private final int types;
    private final Row[] rows;
    private final double[] capacity;
    private final double[][] x;
    private double t;

    /**
     * Holds one job.
     *
     * @param gain of a whole share of each type
     * @param workers machines that a share takes
     * @param need of the job for a level
     */
    record Row(double[] gain, double workers, Need need) {}

    /** Says what gain a job needs for a level: convex and increasing. */
    interface Need {
        /** As much as the level. */
        Need SAME =
                new Need() {
                    @Override
                    public double at(double level) {
                        return level;
                    }

                    @Override
                    public double slope(double level) {
                        return 1;
                    }

                    @Override
                    public double curvature(double level) {
                        return 0;
                    }
                };

        /** Infinite where the level is out of reach. */
        double at(double level);

        double slope(double level);

        double curvature(double level);
    }

    private ShareProgramme(Row[] rows, double[] capacity, double level) {
        this.rows = rows;
        this.capacity = capacity;
        types = capacity.length;
        x = new double[rows.length][types];
        double wanted = 0;
        for (Row row : rows) {
            wanted += row.workers();
        }
        for (double[] own : x) {
            for (int type = 0; type < types; type++) {
                own[type] = 0.5 * Math.min(1.0 / types, capacity[type] / wanted);
            }
        }
        t = level;
    }

    /** Shares by job and type for levels of any size, from 0 on. */
    static double[][] solve(List<MachineType> types, Row[] rows) {
        return solve(types, rows, Double.NaN);
    }

    /**
     * Shares by job and type.
     *
     * @param level that is surely reached with an equal share; NaN for half of the smallest gain
     */
    static double[][] solve(List<MachineType> types, Row[] rows, double level) {
        if (rows.length == 0) {
            return new double[0][];
        }
        double[] capacity = new double[types.size()];
        for (int type = 0; type < capacity.length; type++) {
            // A type without machines gives next to nothing, so that there is an inside.
            capacity[type] = Math.max(types.get(type).machines(), 1e-6);
        }
        ShareProgramme programme = new ShareProgramme(rows, capacity, level);
        if (Double.isNaN(level)) {
            programme.t = programme.half();
        }
        programme.run();
        for (double[] own : programme.x) {
            for (int type = 0; type < own.length; type++) {
                own[type] = Math.max(0, Math.min(1, own[type]));
            }
        }
        return programme.x;
    }

    private double half() {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < rows.length; i++) {
            least = Math.min(least, gain(i, x[i]));
        }
        return 0.5 * least;
    }

    private double gain(int row, double[] shares) {
        double sum = 0;
        for (int type = 0; type < types; type++) {
            sum += rows[row].gain()[type] * shares[type];
        }
        return sum;
    }

    private void run() {
        int constraints = rows.length * (types + 2) + types;
        double scale = Math.max(Math.abs(t), 1e-3);
        for (double push = constraints / scale; constraints / push > PRECISION * scale; push *= 8) {
            for (int step = 0; step < NEWTON_STEPS; step++) {
                ShareStep newton = ShareStep.of(rows, capacity, x, t, push);
                double length = longest(newton);
                double value = barrier(x, t, push);
                double[][] next = moved(newton, length);
                while (length > 1e-12
                        && !(barrier(next, t + length * newton.level(), push)
                                <= value - 0.1 * length * newton.decrement())) {
                    length /= 2;
                    next = moved(newton, length);
                }
                if (length <= 1e-12) {
                    break;
                }
                t += length * newton.level();
                for (int i = 0; i < x.length; i++) {
                    x[i] = next[i];
                }
                if (newton.decrement() < 1e-6) {
                    break;
                }
            }
        }
    }

    private double[][] moved(ShareStep step, double length) {
        double[][] next = new double[x.length][types];
        for (int i = 0; i < x.length; i++) {
            for (int type = 0; type < types; type++) {
                next[i][type] = x[i][type] + length * step.shares()[i][type];
            }
        }
        return next;
    }

    /** How far a step can go before a share or a capacity is used up. */
    private double longest(ShareStep step) {
        double length = 1;
        double[] flow = new double[types];
        double[] used = new double[types];
        for (int i = 0; i < x.length; i++) {
            double sum = 0;
            double change = 0;
            for (int type = 0; type < types; type++) {
                double d = step.shares()[i][type];
                length = d < 0 ? Math.min(length, 0.99 * x[i][type] / -d) : length;
                sum += x[i][type];
                change += d;
                flow[type] += rows[i].workers() * d;
                used[type] += rows[i].workers() * x[i][type];
            }
            length = change > 0 ? Math.min(length, 0.99 * (1 - sum) / change) : length;
        }
        for (int type = 0; type < types; type++) {
            if (flow[type] > 0) {
                length = Math.min(length, 0.99 * (capacity[type] - used[type]) / flow[type]);
            }
        }
        return length;
    }

    private double barrier(double[][] shares, double level, double push) {
        double value = -push * level;
        double[] left = capacity.clone();
        for (int i = 0; i < shares.length; i++) {
            double rest = 1;
            for (int type = 0; type < types; type++) {
                rest -= shares[i][type];
                left[type] -= rows[i].workers() * shares[i][type];
                value -= log(shares[i][type]);
            }
            value -= log(rest) + log(gain(i, shares[i]) - rows[i].need().at(level));
        }
        for (double rest : left) {
            value -= log(rest);
        }
        return value;
    }

    private static double log(double slack) {
        return slack > 0 ? Math.log(slack) : Double.NEGATIVE_INFINITY;
    }
}
