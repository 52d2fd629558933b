package dev.medley.base.placement;

import dev.medley.base.placement.ShardPlacement.Holder;
import dev.medley.base.placement.ShardPlacement.Shard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Swaps shards between workers until their times are even, where equally large shards take unequal
 * time. The worker that would finish last gives a shard for a cheaper one to the worker that would
 * finish first. Each keeps about as many samples as before: two shards that change places differ by
 * at most a hundredth.
 */
final class EvenTimes {
    /** What the first and the last may differ by, of the mean time. */
    private static final double ENOUGH = 0.04;

    /** What two shards that change places may differ by in samples, of the larger. */
    private static final double ALIKE = 0.01;

    private EvenTimes() {}

    /** What a worker has. */
    private static final class Load {
        final Holder worker;
        final List<Shard> shards = new ArrayList<>();
        double time;

        Load(Holder worker, Collection<Shard> all, Map<String, String> placed) {
            this.worker = worker;
            all.stream()
                    .filter(shard -> worker.name().equals(placed.get(shard.name())))
                    .sorted(Comparator.comparing(Shard::name))
                    .forEach(this::take);
        }

        void take(Shard shard) {
            shards.add(shard);
            time += shard.time();
        }

        void give(Shard shard) {
            shards.remove(shard);
            time -= shard.time();
        }

        double lasts() {
            return time / worker.speed();
        }
    }

    /** What two workers give each other. */
    private record Swap(Shard given, Shard taken) {
        double time() {
            return given.time() - taken.time();
        }

        void between(Load from, Load to, Map<String, String> placed) {
            from.give(given);
            to.give(taken);
            from.take(taken);
            to.take(given);
            placed.put(given.name(), to.worker.name());
            placed.put(taken.name(), from.worker.name());
        }
    }

    /**
     * Lets shards of one stratum change places.
     *
     * @param placed worker of each shard; changed in place
     */
    static void of(Collection<Shard> shards, List<Holder> workers, Map<String, String> placed) {
        if (shards.stream().allMatch(shard -> shard.time() == shard.cost())) {
            return; // Even already.
        }
        List<Load> loads = workers.stream().map(w -> new Load(w, shards, placed)).toList();
        Comparator<Load> byTime =
                Comparator.comparingDouble(Load::lasts).thenComparing(load -> load.worker.name());
        double mean =
                loads.stream().mapToDouble(load -> load.time).sum()
                        / workers.stream().mapToDouble(Holder::speed).sum();
        for (int swaps = 0; swaps < shards.size(); swaps++) {
            Load last = loads.stream().max(byTime).orElseThrow();
            Load first = loads.stream().min(byTime).orElseThrow();
            double gap = last.lasts() - first.lasts();
            Swap best = best(last, first, gap);
            if (gap <= ENOUGH * mean || best == null) {
                return;
            }
            best.between(last, first, placed);
        }
    }

    /** The one after which both last about as long; null if none brings them nearer. */
    private static @Nullable Swap best(Load last, Load first, double gap) {
        double wanted = gap / (1 / last.worker.speed() + 1 / first.worker.speed());
        Swap best = null;
        double nearest = wanted; // As far as without one.
        for (Shard given : last.shards) {
            for (Shard taken : first.shards) {
                Swap swap = new Swap(given, taken);
                double off = Math.abs(swap.time() - wanted);
                if (off < nearest && isAlike(given, taken)) {
                    best = swap;
                    nearest = off;
                }
            }
        }
        return best;
    }

    private static boolean isAlike(Shard one, Shard other) {
        double largest = Math.max(one.cost(), other.cost());
        return one.stratum().equals(other.stratum())
                && Math.abs(one.cost() - other.cost()) <= ALIKE * largest;
    }
}
