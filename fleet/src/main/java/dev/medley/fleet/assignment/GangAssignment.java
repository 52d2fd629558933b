package dev.medley.fleet.assignment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives jobs that need several machines of one type at once what they need, or nothing. Exact where
 * each needs one ({@link TypeAssignment}). Else by weight for each machine, the densest first, then
 * improved until no job that waits can take the place of lighter ones of a type, and none gains by
 * moving to free machines. That is within the largest job's machines of the best by type.
 */
public final class GangAssignment {
    private final double[][] weights;
    private final int[] workers;
    private final int[] free;
    private final int[] typeOf;

    /** Jobs of each type, the lightest first; null where that has changed. */
    private final @Nullable List<Integer>[] lightest;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private GangAssignment(double[][] weights, int[] workers, int[] machines) {
        this.weights = weights;
        this.workers = workers;
        free = machines.clone();
        typeOf = new int[weights.length];
        Arrays.fill(typeOf, TypeAssignment.IDLE);
        lightest = new List[machines.length];
    }

    /**
     * The type of each job, or {@link TypeAssignment#IDLE}.
     *
     * @param weights of a whole job by type; a job is never given a type of weight 0 or less
     * @param workers machines that each job needs
     * @param machines of each type
     */
    public static int[] maximum(double[][] weights, int[] workers, int[] machines) {
        if (Arrays.stream(workers).allMatch(count -> count == 1)) {
            return TypeAssignment.maximum(weights, machines);
        }
        GangAssignment assignment = new GangAssignment(weights, workers, machines);
        assignment.greedy();
        for (int pass = 0; pass < 4 && assignment.improve(); pass++) {
            // Each pass gains, or it is the last.
        }
        return assignment.typeOf;
    }

    private record Offer(int job, int type, double density) {
        static final Comparator<Offer> DENSEST =
                Comparator.comparingDouble((Offer o) -> -o.density)
                        .thenComparingInt(Offer::job)
                        .thenComparingInt(Offer::type);
    }

    private void greedy() {
        List<Offer> offers = new ArrayList<>();
        for (int job = 0; job < weights.length; job++) {
            for (int type = 0; type < free.length; type++) {
                if (weights[job][type] > 0) {
                    offers.add(new Offer(job, type, weights[job][type] / workers[job]));
                }
            }
        }
        offers.sort(Offer.DENSEST);
        for (Offer offer : offers) {
            boolean isFree = typeOf[offer.job()] == TypeAssignment.IDLE;
            if (isFree && workers[offer.job()] <= free[offer.type()]) {
                put(offer.job(), offer.type());
            }
        }
    }

    private void put(int job, int type) {
        if (typeOf[job] != TypeAssignment.IDLE) {
            free[typeOf[job]] += workers[job];
            lightest[typeOf[job]] = null;
        }
        if (type != TypeAssignment.IDLE) {
            free[type] -= workers[job];
            lightest[type] = null;
        }
        typeOf[job] = type;
    }

    private boolean improve() {
        boolean isBetter = false;
        for (int job = 0; job < weights.length; job++) {
            for (int type = 0; type < free.length; type++) {
                if (type != typeOf[job] && weights[job][type] > 0) {
                    isBetter |= take(job, type);
                }
            }
        }
        return isBetter;
    }

    /**
     * Moves a job to a type if that gains, putting out the lightest jobs there that are in the way.
     */
    private boolean take(int job, int type) {
        double gain = weights[job][type] - weight(job);
        if (workers[job] <= free[type]) {
            if (gain > 1e-12) {
                put(job, type);
                return true;
            }
            return false;
        }
        List<Integer> there = lightest(type);
        int room = free[type];
        double lost = 0;
        int out = 0;
        while (out < there.size() && room < workers[job]) {
            room += workers[there.get(out)];
            lost += weights[there.get(out)][type];
            out++;
        }
        if (room < workers[job] || gain - lost <= 1e-12) {
            return false;
        }
        List.copyOf(there.subList(0, out)).forEach(other -> put(other, TypeAssignment.IDLE));
        put(job, type);
        return true;
    }

    private List<Integer> lightest(int type) {
        List<Integer> known = lightest[type];
        if (known != null) {
            return known;
        }
        List<Integer> there = new ArrayList<>();
        for (int job = 0; job < typeOf.length; job++) {
            if (typeOf[job] == type) {
                there.add(job);
            }
        }
        there.sort(
                Comparator.comparingDouble((Integer j) -> weights[j][type] / workers[j])
                        .thenComparingInt(j -> j));
        lightest[type] = there;
        return there;
    }

    private double weight(int job) {
        return typeOf[job] == TypeAssignment.IDLE ? 0 : weights[job][typeOf[job]];
    }
}
