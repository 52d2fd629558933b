package dev.medley.fleet.learning;

import java.util.Map;
import java.util.TreeMap;

/**
 * Learns a table of action values by Q-learning (Watkins 1989), over states that are cut into a few
 * boxes: jobs for each machine, the share of slow machines, and the middle of remaining hours.
 *
 * <p>Belongs to one thread; the same transitions give the same table.
 */
final class TabularQ implements QLearner {
    private static final double[] JOBS = {0.35, 0.5, 0.7, 0.9, 1.2};
    private static final double[] SLOW = {0.1, 0.3};
    private static final double[] HOURS = {1.5, 2.5};

    private final int actions;
    private final double rate;
    private final Map<Integer, double[]> table = new TreeMap<>();
    private final Map<Integer, int[]> visits = new TreeMap<>();

    /**
     * @param rate of the newest of many visits; the first ones count as their mean
     */
    TabularQ(int actions, double rate) {
        this.actions = actions;
        this.rate = rate;
    }

    /** The box of a state. */
    static int box(double[] state) {
        return (box(JOBS, state[1]) * (SLOW.length + 1) + box(SLOW, state[3])) * (HOURS.length + 1)
                + box(HOURS, state[6]);
    }

    private static int box(double[] edges, double value) {
        int box = 0;
        while (box < edges.length && value >= edges[box]) {
            box++;
        }
        return box;
    }

    private double[] values(double[] state) {
        return table.computeIfAbsent(box(state), b -> new double[actions]);
    }

    @Override
    public int best(double[] state) {
        return ActionValues.highest(values(state));
    }

    @Override
    public void take(Transition transition) {
        double[] next = transition.next();
        double follows = next == null ? 0 : values(next)[best(next)];
        double wanted = transition.reward() + transition.discount() * follows;
        int[] seen = visits.computeIfAbsent(box(transition.state()), b -> new int[actions]);
        int visit = ++seen[transition.action()];
        double[] values = values(transition.state());
        values[transition.action()] +=
                Math.max(rate, 1.0 / visit) * (wanted - values[transition.action()]);
    }

    /** The best action of each box that was seen. */
    @Override
    public StateActions learnt() {
        Map<Integer, Integer> best = new TreeMap<>();
        table.forEach((box, values) -> best.put(box, ActionValues.highest(values)));
        return StateActions.of(best);
    }
}
