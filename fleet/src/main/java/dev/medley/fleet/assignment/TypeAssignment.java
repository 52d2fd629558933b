package dev.medley.fleet.assignment;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Gives each job one machine of a type, or none, so that the sum of weights is greatest: exact. A
 * minimum-cost flow by successive best paths (Ahuja, Magnanti, Orlin, Network Flows, 1993, 9.7)
 * over the few types instead of the many machines: a path moves one job from each type on it to the
 * next, and for each pair of types the job that loses least by it is on top of a heap. Time is jobs
 * times types squared, times a logarithm.
 */
public final class TypeAssignment {
    /** What {@link #maximum} says of a job without a machine. */
    public static final int IDLE = -1;

    private static final int NOBODY = -1;
    private static final int UNKNOWN = -2;

    private final double[][] weights;
    private final int[] free;
    private final int types;
    private final int[] typeOf;
    private final PriorityQueue<Integer>[][] movers;

    /** The top of each heap, and what it gains, so that a look costs no heap. */
    private final int[][] top;

    private final double[][] topGain;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private TypeAssignment(double[][] weights, int[] machines) {
        this.weights = weights;
        types = machines.length;
        free = machines.clone();
        typeOf = new int[weights.length];
        Arrays.fill(typeOf, IDLE);
        movers = new PriorityQueue[types][types + 1];
        top = new int[types][types + 1];
        topGain = new double[types][types + 1];
        for (int from = 0; from < types; from++) {
            for (int to = 0; to <= types; to++) {
                int source = from;
                int target = to;
                top[from][to] = NOBODY;
                movers[from][to] =
                        new PriorityQueue<>(
                                Comparator.comparingDouble((Integer j) -> -gain(j, source, target))
                                        .thenComparingInt(j -> j));
            }
        }
    }

    /**
     * The type of each job, or {@link #IDLE}. Of equal sums always the same one.
     *
     * @param weights by job and type, finite; a job is never given a type of weight 0 or less
     * @param machines of each type
     */
    public static int[] maximum(double[][] weights, int[] machines) {
        TypeAssignment assignment = new TypeAssignment(weights, machines);
        for (int job = 0; job < weights.length; job++) {
            assignment.add(job);
        }
        return assignment.typeOf;
    }

    /** What is gained when a job goes from one type to another, or to none. */
    private double gain(int job, int from, int to) {
        return (to == types ? 0 : weights[job][to]) - weights[job][from];
    }

    /** The job that loses least when it moves; {@link #NOBODY} where none can. */
    private int mover(int from, int to) {
        if (top[from][to] == UNKNOWN) {
            PriorityQueue<Integer> queue = movers[from][to];
            while (!queue.isEmpty() && typeOf[queue.peek()] != from) {
                queue.poll();
            }
            int job = queue.isEmpty() ? NOBODY : queue.peek();
            top[from][to] = job;
            topGain[from][to] = job == NOBODY ? 0 : gain(job, from, to);
        }
        return top[from][to];
    }

    private void add(int job) {
        double[] reached = new double[types + 1];
        int[] before = new int[types + 1];
        Arrays.fill(before, types + 1);
        reached[types] = 0;
        for (int type = 0; type < types; type++) {
            reached[type] = weights[job][type] > 0 ? weights[job][type] : -1e300;
        }
        relax(reached, before);
        int end = types;
        for (int type = 0; type < types; type++) {
            if (free[type] > 0 && reached[type] > reached[end]) {
                end = type;
            }
        }
        if (end < types) {
            free[end]--;
        }
        apply(job, end, before);
    }

    /** Longest paths from the new job; there is no cycle that gains, since all before is best. */
    private void relax(double[] reached, int[] before) {
        for (int pass = 0; pass < types; pass++) {
            boolean isChanged = false;
            for (int from = 0; from < types; from++) {
                for (int to = 0; to <= types; to++) {
                    int mover = to == from ? -1 : mover(from, to);
                    boolean isAllowed = mover >= 0 && (to == types || weights[mover][to] > 0);
                    double through = isAllowed ? reached[from] + topGain[from][to] : 0;
                    if (isAllowed && through > reached[to] + 1e-12) {
                        reached[to] = through;
                        before[to] = from;
                        isChanged = true;
                    }
                }
            }
            if (!isChanged) {
                return;
            }
        }
    }

    private void apply(int job, int end, int[] before) {
        int to = end;
        for (int steps = 0; before[to] <= types && steps <= types; steps++) {
            int from = before[to];
            int mover = mover(from, to);
            put(mover, to);
            to = from;
        }
        put(job, to);
    }

    private void put(int job, int type) {
        if (typeOf[job] != IDLE) {
            Arrays.fill(top[typeOf[job]], UNKNOWN);
        }
        if (type < types) {
            Arrays.fill(top[type], UNKNOWN);
        }
        typeOf[job] = type == types ? IDLE : type;
        for (int to = 0; type < types && to <= types; to++) {
            if (to != type) {
                movers[type][to].add(job);
            }
        }
    }
}
