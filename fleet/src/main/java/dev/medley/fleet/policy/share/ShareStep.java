package dev.medley.fleet.policy.share;

import java.util.Arrays;

/**
 * Makes Newton steps of a {@link ShareProgramme}: by how much shares and level change. A step costs
 * jobs times types cubed.
 */
final class ShareStep {
    private final ShareClass[] classes;
    private final ShareBlock[] blocks;
    private final double[] capacity;
    private final int types;
    private final double[] left;
    private final double[][] changes;
    private final double[] flow;
    private double push;
    private double t;
    private double level;
    private double decrement;

    ShareStep(ShareClass[] classes, double[] capacity) {
        this.classes = classes;
        this.capacity = capacity;
        types = capacity.length;
        blocks = new ShareBlock[classes.length];
        Arrays.setAll(blocks, i -> new ShareBlock(classes[i], types));
        left = new double[types];
        flow = new double[types];
        changes = new double[classes.length][types];
    }

    /** Looks at a point inside of all constraints. */
    void look(double at, double barrier) {
        t = at;
        push = barrier;
        System.arraycopy(capacity, 0, left, 0, types);
        // Unknowns that jobs share: the price of each type after the step, and the level's change.
        double[][] system = new double[types + 1][types + 2];
        system[types][types + 1] = push;
        for (int i = 0; i < blocks.length; i++) {
            blocks[i].look(t);
            add(i, system);
            for (int type = 0; type < types; type++) {
                left[type] -= flows(i) * classes[i].shares()[type];
            }
        }
        for (int type = 0; type < types; type++) {
            system[type][type] += left[type] * left[type];
            system[type][types + 1] += left[type];
            system[types][type] = -system[type][types];
            for (int other = 0; other < type; other++) {
                system[type][other] = system[other][type];
            }
        }
        solved(Elimination.solve(system));
    }

    private double flows(int i) {
        return classes[i].jobs() * classes[i].row().workers();
    }

    private void add(int i, double[][] system) {
        ShareBlock block = blocks[i];
        double[] x = classes[i].shares();
        double jobs = classes[i].jobs();
        double flows = flows(i);
        double squares = flows * classes[i].row().workers();
        double steep = block.steep();
        for (int a = 0; a < types; a++) {
            double[] row = system[a];
            double of = squares * x[a];
            for (int b = a; b < types; b++) {
                row[b] += of * x[b] * block.inverse(a, b);
            }
            row[types] -= flows * steep * x[a] * block.ofGain(a);
            row[types + 1] -= flows * x[a] * block.alone(a);
        }
        system[types][types] += jobs * block.curvature();
        system[types][types + 1] -= jobs * block.pull();
    }

    private void solved(double[] common) {
        level = common[types];
        decrement = push * level;
        Arrays.fill(flow, 0);
        for (int i = 0; i < blocks.length; i++) {
            double own = blocks[i].changed(common, changes[i]);
            decrement += classes[i].jobs() * own;
            for (int type = 0; type < types; type++) {
                flow[type] += flows(i) * changes[i][type];
            }
        }
        for (int type = 0; type < types; type++) {
            decrement -= flow[type] / left[type];
        }
    }

    /** By how much the level changes. */
    double level() {
        return level;
    }

    /** What a whole step promises: gradient times step, negative. */
    double decrement() {
        return decrement;
    }

    /** How far one can go before a share or a capacity is used up; at most 1. */
    double longest() {
        double length = 1;
        for (int i = 0; i < classes.length; i++) {
            double freed = 0;
            for (int type = 0; type < types; type++) {
                double d = changes[i][type];
                length = d < 0 ? Math.min(length, 0.99 * classes[i].shares()[type] / -d) : length;
                freed -= d;
            }
            length = freed < 0 ? Math.min(length, 0.99 * blocks[i].rest() / -freed) : length;
        }
        for (int type = 0; type < types; type++) {
            if (flow[type] > 0) {
                length = Math.min(length, 0.99 * left[type] / flow[type]);
            }
        }
        return length;
    }

    /** By how much the barrier changes after a part of the step; infinite outside. */
    double change(double length) {
        double change = -push * length * level;
        double needed = t + length * level;
        for (int i = 0; i < classes.length; i++) {
            ShareClass one = classes[i];
            double[] x = one.shares();
            double freed = 0;
            double gained = one.row().need().at(t) - one.row().need().at(needed);
            double product = 1;
            double sum = 0;
            for (int type = 0; type < types; type++) {
                double d = length * changes[i][type];
                freed -= d;
                gained += one.row().gain()[type] * d;
                product *= 1 + d / x[type];
                if (product < 1e-100 || product > 1e100) {
                    sum += log(product);
                    product = 1;
                }
            }
            double more = (1 + freed / blocks[i].rest()) * (1 + gained / blocks[i].beyond());
            boolean isInside = freed > -blocks[i].rest() && gained > -blocks[i].beyond();
            sum += isInside ? log(product * more) : Double.NEGATIVE_INFINITY;
            change -= one.jobs() * sum;
        }
        for (int type = 0; type < types; type++) {
            change -= log(1 - length * flow[type] / left[type]);
        }
        return change;
    }

    private static double log(double ratio) {
        return ratio > 0 ? Math.log(ratio) : Double.NEGATIVE_INFINITY;
    }

    /** Moves all shares by a part of the step. */
    void go(double length) {
        for (int i = 0; i < classes.length; i++) {
            for (int type = 0; type < types; type++) {
                classes[i].shares()[type] += length * changes[i][type];
            }
        }
    }
}
