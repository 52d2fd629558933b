package dev.medley.fleet.policy.share;

import dev.medley.fleet.view.MachineType;
import java.util.Arrays;
import java.util.List;

/**
 * Finds shares that make a common level as great as it can be: maximise t where the gain of each
 * job's shares is at least what it needs for t, no job has more than all of the time, and no type
 * more than all of its machines. Solved by a primal barrier method with Newton steps (Boyd and
 * Vandenberghe, Convex Optimization, 2004, 11.3); jobs meet only in the types' capacity and in t,
 * so a step is linear in jobs.
 *
 * <p>Where many shares are best, the result lies in the middle of them (the analytic centre), as
 * that of other interior-point solvers: rounds by shares then spread jobs over types. As that
 * middle is a single point, jobs of equal rows have equal shares: they are solved as one row that
 * counts as often as there are such jobs, which changes nothing.
 */
final class ShareProgramme {
    private static final double PRECISION = 1e-8;
    private static final int NEWTON_STEPS = 40;

    /** How near to the middle a point has to be on the way, and at its end. */
    private static final double NEAR = 2;

    private static final double THERE = 1e-6;

    /** How much steeper the barrier is each time. */
    private static final double FASTER = 50;

    private final int types;
    private final ShareClass[] classes;
    private final double[] capacity;
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

    private ShareProgramme(ShareClass[] classes, double[] capacity, double level) {
        this.classes = classes;
        this.capacity = capacity;
        types = capacity.length;
        double wanted = 0;
        for (ShareClass one : classes) {
            wanted += one.jobs() * one.row().workers();
        }
        for (ShareClass one : classes) {
            for (int type = 0; type < types; type++) {
                one.shares()[type] = 0.5 * Math.min(1.0 / types, capacity[type] / wanted);
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
        ShareClass[] byRow = ShareClass.of(rows);
        ShareClass[] classes = Arrays.stream(byRow).distinct().toArray(ShareClass[]::new);
        ShareProgramme programme = new ShareProgramme(classes, capacity, level);
        if (Double.isNaN(level)) {
            programme.t = programme.half();
        }
        programme.run(rows.length);
        double[][] shares = new double[rows.length][];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = byRow[i].shares().clone();
            for (int type = 0; type < capacity.length; type++) {
                shares[i][type] = Math.max(0, Math.min(1, shares[i][type]));
            }
        }
        return shares;
    }

    private double half() {
        double least = Double.POSITIVE_INFINITY;
        for (ShareClass one : classes) {
            least = Math.min(least, one.gain(one.shares()));
        }
        return 0.5 * least;
    }

    private void run(int jobs) {
        int constraints = jobs * (types + 2) + types;
        double scale = Math.max(Math.abs(t), 1e-3);
        ShareStep step = new ShareStep(classes, capacity);
        double last = constraints / (PRECISION * scale);
        double push = constraints / scale / FASTER;
        while (push < last) {
            push = Math.min(last, push * FASTER);
            double near = push < last ? NEAR : THERE;
            for (int i = 0; i < NEWTON_STEPS; i++) {
                step.look(t, push);
                double length = step.longest();
                while (length > 1e-12
                        && !(step.change(length) <= -0.1 * length * step.decrement())) {
                    length /= 2;
                }
                if (length <= 1e-12) {
                    // Rounding is all that is left: what it has is the middle, but for that.
                    return;
                }
                t += length * step.level();
                step.go(length);
                if (step.decrement() < near) {
                    break;
                }
            }
        }
    }
}
