package dev.medley.plan.policy;

import static dev.medley.base.ConfigException.check;

import dev.medley.profile.speed.StepTime;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cuts a batch so that all workers are done at the same time. It minimises the longest t_i(b_i)
 * under sum b_i = B and least_i &lt;= b_i &lt;= cap_i (the core of LB-BSP, Chen et al., SoCC 2020,
 * and of Cannikin, Nie et al., Middleware 2024). With t_i(b) = alpha_i + beta_i b the share that a
 * worker manages in time T is (T - alpha_i) / beta_i, within its bounds; their sum grows with T, so
 * the T whose sum is B is found by bisection. Whole numbers by largest remainder.
 */
public final class WaterFilling {
    private static final int HALVINGS = 100;

    /**
     * A worker as the split sees it.
     *
     * @param time of its share
     * @param least samples that it gets in a step, however slow it is
     * @param cap most samples that it may get in a step; its memory allows no more
     */
    public record Vessel(StepTime time, int least, int cap) {}

    private WaterFilling() {}

    /**
     * Shares in order of the workers.
     *
     * @throws dev.medley.base.ConfigException if all caps together are below the batch
     */
    public static List<Integer> split(int batch, List<Vessel> vessels) {
        double level = level(batch, vessels);
        return rounded(batch, vessels, vessels.stream().map(v -> share(level, v)).toList());
    }

    /**
     * What the longest share takes where samples can be cut: a bound that whole shares miss by at
     * most a sample, and that does not jump as they do when a figure changes a little.
     *
     * @throws dev.medley.base.ConfigException if all caps together are below the batch
     */
    public static double longestNs(int batch, List<Vessel> vessels) {
        double level = level(batch, vessels);
        return vessels.stream()
                .mapToDouble(v -> v.time().predictNs(share(level, v)))
                .max()
                .orElse(0);
    }

    /**
     * What no shares could beat, whole or not and whatever their bounds: the T of (T - alpha_i) /
     * beta_i that sum to the batch. 0 where that is not so simple: somebody would be left out by
     * it, or takes no longer for more.
     */
    static double leastNs(int batch, List<StepTime> times) {
        double samples = batch;
        double speed = 0;
        double latestNs = 0;
        for (StepTime time : times) {
            samples += time.alphaNs() / time.betaNs();
            speed += 1 / time.betaNs();
            latestNs = Math.max(latestNs, time.alphaNs());
        }
        double leastNs = samples / speed;
        return leastNs >= latestNs && Double.isFinite(leastNs) ? leastNs : 0;
    }

    private static double level(int batch, List<Vessel> vessels) {
        long room = vessels.stream().mapToLong(Vessel::cap).sum();
        check(
                room >= batch,
                "train.batch=%d: the workers have memory for %d samples at once: lower the batch,"
                        + " or raise train.accumulate",
                batch,
                room);
        double low = 0;
        double high = anyoneNs(batch, vessels);
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (middle == low || middle == high) {
                break; // Neighbours: there is nothing between them.
            }
            if (managed(middle, vessels) < batch) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** In this time any single worker manages the batch or its cap. */
    private static double anyoneNs(int batch, List<Vessel> vessels) {
        return vessels.stream()
                .mapToDouble(v -> v.time().alphaNs() + v.time().betaNs() * batch + 1)
                .max()
                .orElse(0);
    }

    private static double managed(double ns, List<Vessel> vessels) {
        return vessels.stream().mapToDouble(v -> share(ns, v)).sum();
    }

    private static double share(double ns, Vessel vessel) {
        StepTime time = vessel.time();
        double left = ns - time.alphaNs();
        if (left <= 0) {
            return vessel.least();
        }
        double managed = time.betaNs() > 0 ? left / time.betaNs() : vessel.cap();
        return Math.min(vessel.cap(), Math.max(vessel.least(), managed));
    }

    /**
     * Whole numbers. The exact shares sum to more than the batch where a worker's time does not
     * grow with its share; then all give up what they have above their least in proportion.
     */
    private static List<Integer> rounded(int batch, List<Vessel> vessels, List<Double> exact) {
        int least = vessels.stream().mapToInt(Vessel::least).sum();
        double above = exact.stream().mapToDouble(Double::doubleValue).sum() - least;
        double scale = above > batch - least ? (batch - least) / above : 1;
        double[] remainders = new double[exact.size()];
        int[] shares = new int[exact.size()];
        int given = 0;
        for (int i = 0; i < shares.length; i++) {
            int floor = vessels.get(i).least();
            double share = floor + (exact.get(i) - floor) * scale;
            shares[i] = (int) Math.floor(share + 1e-9);
            remainders[i] = share - shares[i];
            given += shares[i];
        }
        List<Integer> order =
                IntStream.range(0, shares.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble((Integer i) -> -remainders[i]))
                        .toList();
        for (int i = 0; given < batch; i = (i + 1) % order.size()) {
            int rank = order.get(i);
            if (shares[rank] < vessels.get(rank).cap()) {
                shares[rank]++;
                given++;
            }
        }
        return IntStream.of(shares).boxed().toList();
    }
}
