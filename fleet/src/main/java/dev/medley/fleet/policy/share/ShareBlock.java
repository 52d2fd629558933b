package dev.medley.fleet.policy.share;

/**
 * Holds what one class of jobs adds to a Newton step of a {@link ShareProgramme}.
 *
 * <p>In units of its own shares its part of the Hessian is {@code B = I + p p' + q q'}, with {@code
 * p = x / (time left)} and {@code q = x gain / (gain beyond need)}. Near the end both are large and
 * nearly parallel, so the inverse is made of minors {@code p_a q_b - p_b q_a = x_a x_b (gain_b -
 * gain_a) / ...}, in which nothing cancels: {@code det = 1 + p'p + q'q + sum of minors squared}.
 */
final class ShareBlock {
    private final ShareClass of;
    private final int types;
    private final double[] p;
    private final double[] q;
    private final double[] minors;
    private final double[] inverse;
    private final double[] ofTime;
    private final double[] ofGain;
    private final double[] alone;
    private double rest;
    private double beyond;
    private double slope;
    private double pull;
    private double curvature;

    ShareBlock(ShareClass of, int types) {
        this.of = of;
        this.types = types;
        p = new double[types];
        q = new double[types];
        minors = new double[types * types];
        inverse = new double[types * types];
        ofTime = new double[types];
        ofGain = new double[types];
        alone = new double[types];
    }

    /** Looks at the class's shares, and at a level. */
    void look(double level) {
        double[] x = of.shares();
        double[] gain = of.row().gain();
        rest = 1;
        for (double share : x) {
            rest -= share;
        }
        beyond = of.gain(x) - of.row().need().at(level);
        slope = of.row().need().slope(level);
        double pp = 0;
        double pq = 0;
        double qq = 0;
        for (int a = 0; a < types; a++) {
            p[a] = x[a] / rest;
            q[a] = x[a] * gain[a] / beyond;
            pp += p[a] * p[a];
            pq += p[a] * q[a];
            qq += q[a] * q[a];
        }
        double det = 1 + pp + qq;
        for (int a = 0; a < types; a++) {
            for (int b = 0; b < a; b++) {
                double minor = p[a] * (x[b] / beyond) * (gain[b] - gain[a]);
                minors[a * types + b] = minor;
                minors[b * types + a] = -minor;
                det += minor * minor;
            }
        }
        invert(det);
        double sum = 0;
        for (int a = 0; a < types; a++) {
            double all = 0;
            for (int b = 0; b < types; b++) {
                all += inverse[a * types + b];
            }
            alone[a] = ofTime[a] - ofGain[a] - all;
            sum += ofGain[a];
        }
        pull = slope / beyond * ((1 + pp + pq) / det - sum);
        double bent = of.row().need().curvature(level);
        curvature = slope / beyond * (slope / beyond) * ((1 + pp) / det) + bent / beyond;
    }

    private void invert(double det) {
        for (int a = 0; a < types; a++) {
            double time = p[a];
            double gained = q[a];
            for (int b = 0; b < types; b++) {
                double minor = minors[a * types + b];
                time += q[b] * minor;
                gained -= p[b] * minor;
                if (b < a) {
                    double cross = p[a] * p[b] + q[a] * q[b];
                    for (int c = 0; c < types; c++) {
                        cross += minors[a * types + c] * minors[b * types + c];
                    }
                    inverse[a * types + b] = -cross / det;
                    inverse[b * types + a] = -cross / det;
                }
            }
            ofTime[a] = time / det;
            ofGain[a] = gained / det;
            inverse[a * types + a] = others(a) / det;
        }
    }

    /** The determinant of the block without a type. */
    private double others(int a) {
        double sum = 1;
        for (int b = 0; b < types; b++) {
            sum += b == a ? 0 : p[b] * p[b] + q[b] * q[b];
            for (int c = 0; c < b && b != a; c++) {
                double minor = minors[b * types + c];
                sum += c == a ? 0 : minor * minor;
            }
        }
        return sum;
    }

    /** Time that each of its jobs has left. */
    double rest() {
        return rest;
    }

    /** Gain that each of its jobs has beyond its need. */
    double beyond() {
        return beyond;
    }

    /** An element of the inverse. */
    double inverse(int a, int b) {
        return inverse[a * types + b];
    }

    /** What the inverse makes of q. */
    double ofGain(int type) {
        return ofGain[type];
    }

    /** What the inverse makes of the gradient, but for that of types' room. */
    double alone(int type) {
        return alone[type];
    }

    /** How fast the level takes what the gain is beyond the need. */
    double steep() {
        return slope / beyond;
    }

    /** What the level's gradient gains of it, with shares that follow. */
    double pull() {
        return pull;
    }

    /** What the level's second derivative gains of it, with shares that follow. */
    double curvature() {
        return curvature;
    }

    /**
     * By how much a job's shares change.
     *
     * @param common prices by type, and the level's change
     * @return by how much that lowers the job's own barriers, at first
     */
    double changed(double[] common, double[] changes) {
        double[] x = of.shares();
        double workers = of.row().workers();
        double level = common[types];
        double gained = -slope * level;
        double freed = 0;
        double own = 0;
        for (int a = 0; a < types; a++) {
            double change = slope / beyond * ofGain[a] * level - alone[a];
            for (int b = 0; b < types; b++) {
                change -= inverse[a * types + b] * workers * x[b] * common[b];
            }
            changes[a] = x[a] * change;
            own += change;
            freed -= changes[a];
            gained += of.row().gain()[a] * changes[a];
        }
        return own + freed / rest + gained / beyond;
    }
}
