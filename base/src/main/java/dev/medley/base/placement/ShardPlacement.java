package dev.medley.base.placement;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An assignment of each shard of a data set to a worker that keeps it. It is a pure function of the
 * shards, the workers and where shards were before.
 *
 * <p>Weighted rendezvous hashing: worker i has for shard s the score -w_i / ln(h(s, i)) with h
 * uniform in (0, 1), and the greatest score wins. So shards fall to workers in proportion to their
 * speeds w_i, and only the shards of a worker that leaves have to move. A worker that has a shard
 * already counts {@value #CACHED} times, a worker at the site where the shard lies {@value #NEAR}
 * times. Chance and skewed shards would still load some workers more than others, so loads are
 * bounded (Mirrokni, Thorup, Zadimoghaddam, SODA 2018, arXiv 1608.01350): no worker gets more than
 * its part of the cost, and the next in the order of scores takes what does not fit. A shard keeps
 * its place if there is room; of the rest costly shards come first, and the small ones fill the
 * gaps. Shards for which no gap is left go to the worker that would finish first with them. Last of
 * all small shards move from the worker that finishes last to the one that finishes first, until
 * these two differ by {@value #EVEN} of the mean. Where the samples of one shard take longer than
 * as many of another, shards then change places until times are even, too ({@link EvenTimes}).
 *
 * <p>Workers on different machines compute the same result: nothing in it depends on the machine,
 * on the order of shards or on that of workers.
 *
 * <p>A run places the blocks of its validation samples by it, and the shards of its training
 * samples where its job asks for places (docs/decisions/0015 and 0020).
 *
 * @param byShard worker of each shard
 * @param moved shards that lay elsewhere before
 * @param why one sentence
 */
public record ShardPlacement(Map<String, String> byShard, int moved, String why) {
    /** Samples of each shard to try for an estimate: with four, times varied by 7 to 19 %. */
    public static final int TRIED = 64;

    private static final double CACHED = 100;
    private static final double NEAR = 10;
    private static final double EVEN = 0.04;

    /**
     * A shard.
     *
     * @param name that never changes
     * @param cost of which workers get parts by their speeds: how many samples it has, as a step
     *     takes samples
     * @param time that its samples take to be read, from a few that were tried, see {@link
     *     #estimate}: rows alone say little where rows differ
     * @param site where it lies; empty if everywhere alike
     * @param stratum samples of one kind, where workers should have all kinds; empty for one
     */
    public record Shard(String name, double cost, double time, String site, String stratum) {
        /** One whose samples all take as long. */
        public Shard(String name, double cost, String site, String stratum) {
            this(name, cost, cost, site, stratum);
        }

        /** The same with samples that take so long. */
        public Shard taking(double all) {
            return new Shard(name, cost, all, site, stratum);
        }

        /** The same at another site. */
        public Shard at(String where) {
            return new Shard(name, cost, time, where, stratum);
        }
    }

    /**
     * A worker.
     *
     * @param name that never changes
     * @param speed relative to the others
     * @param site where it is
     * @param cached shards that it has already
     */
    public record Holder(String name, double speed, String site, Collection<String> cached) {
        public Holder {
            cached = Set.copyOf(cached);
        }
    }

    public ShardPlacement {
        byShard = Map.copyOf(byShard);
    }

    /** What {@code rows} rows take, from a few that were tried. */
    public static double estimate(long rows, Collection<Double> tried) {
        return rows * tried.stream().mapToDouble(Double::doubleValue).average().orElse(1);
    }

    /**
     * Places all shards, one stratum after the other.
     *
     * @param before worker of each shard so far; a shard stays if there is room. Empty at first
     */
    public static ShardPlacement of(
            Collection<Shard> shards, List<Holder> workers, Map<String, String> before) {
        if (workers.isEmpty()) {
            throw new IllegalArgumentException("no worker to place shards on");
        }
        Map<String, List<Shard>> strata = new TreeMap<>();
        for (Shard shard : shards) {
            strata.computeIfAbsent(shard.stratum(), s -> new ArrayList<>()).add(shard);
        }
        Map<String, String> placed = new LinkedHashMap<>();
        Map<String, Double> room = new HashMap<>();
        strata.values()
                .forEach(stratum -> place(stratum, workers, before, new Places(placed, room)));
        EvenTimes.of(shards, workers, placed);
        long moved =
                placed.entrySet().stream()
                        .filter(e -> before.containsKey(e.getKey()))
                        .filter(e -> !e.getValue().equals(before.get(e.getKey())))
                        .count();
        return new ShardPlacement(placed, (int) moved, why(shards, workers, placed, moved));
    }

    /** What one stratum left uneven, since a shard is not cut, the next one makes up for. */
    private static void place(
            List<Shard> shards, List<Holder> workers, Map<String, String> before, Places places) {
        Map<String, String> placed = places.placed();
        Map<String, Double> room = places.room();
        double cost = shards.stream().mapToDouble(Shard::cost).sum();
        double speed = workers.stream().mapToDouble(Holder::speed).sum();
        workers.forEach(w -> room.merge(w.name(), cost * w.speed() / speed, Double::sum));
        List<Shard> homeless = new ArrayList<>();
        for (Shard shard : largestFirst(shards)) {
            String home = before.get(shard.name());
            boolean stays = home != null && room.getOrDefault(home, 0.0) >= shard.cost();
            if (stays) {
                room.merge(home, -shard.cost(), Double::sum);
                placed.put(shard.name(), home);
            } else {
                homeless.add(shard);
            }
        }
        for (Shard shard : homeless) {
            Holder owner = null;
            double best = -1;
            for (Holder worker : workers) {
                double score = score(shard, worker);
                if (room.getOrDefault(worker.name(), 0.0) >= shard.cost() && score > best) {
                    owner = worker;
                    best = score;
                }
            }
            Holder taken = owner != null ? owner : soonest(shard, workers, room);
            room.merge(taken.name(), -shard.cost(), Double::sum);
            placed.put(shard.name(), taken.name());
        }
        even(largestFirst(shards), workers, EVEN * cost / speed, places);
    }

    /** Where shards are, and what each worker could still take. */
    private record Places(Map<String, String> placed, Map<String, Double> room) {
        double spareTime(Holder worker) {
            return room.getOrDefault(worker.name(), 0.0) / worker.speed();
        }

        void move(Shard shard, Holder from, Holder to) {
            placed.put(shard.name(), to.name());
            room.merge(from.name(), shard.cost(), Double::sum);
            room.merge(to.name(), -shard.cost(), Double::sum);
        }
    }

    private static void even(
            List<Shard> shards, List<Holder> workers, double enough, Places places) {
        Comparator<Holder> bySpare =
                Comparator.comparingDouble(places::spareTime).thenComparing(Holder::name);
        for (int moves = 0; moves < shards.size(); moves++) {
            Holder last = workers.stream().min(bySpare).orElseThrow();
            Holder first = workers.stream().max(bySpare).orElseThrow();
            double gap = places.spareTime(first) - places.spareTime(last);
            double most = gap / (1 / last.speed() + 1 / first.speed());
            Shard best =
                    shards.stream()
                            .filter(s -> last.name().equals(places.placed().get(s.name())))
                            .filter(s -> s.cost() <= most)
                            .findFirst()
                            .orElse(null);
            if (gap <= enough || best == null) {
                return;
            }
            places.move(best, last, first);
        }
    }

    private static List<Shard> largestFirst(List<Shard> shards) {
        return shards.stream()
                .sorted(
                        Comparator.comparingDouble((Shard s) -> -s.cost())
                                .thenComparing(Shard::name))
                .toList();
    }

    /** Whoever is done first with what it has and this; for a shard that fits nowhere. */
    private static Holder soonest(Shard shard, List<Holder> workers, Map<String, Double> room) {
        @Nullable Holder first = null;
        double least = Double.POSITIVE_INFINITY;
        for (Holder worker : workers) {
            double over = (shard.cost() - room.getOrDefault(worker.name(), 0.0)) / worker.speed();
            if (first == null || over < least) {
                first = worker;
                least = over;
            }
        }
        if (first == null) {
            throw new IllegalStateException("no worker");
        }
        return first;
    }

    private static double score(Shard shard, Holder worker) {
        boolean isCached = worker.cached().contains(shard.name());
        boolean isNear = !shard.site().isEmpty() && shard.site().equals(worker.site());
        long drawn = Seeds.mix(hash(shard.name()) ^ Long.rotateLeft(hash(worker.name()), 21));
        double uniform = ((drawn >>> 11) + 0.5) * 0x1p-53;
        double place = (isCached ? CACHED : 1) * (isNear ? NEAR : 1);
        return worker.speed() * place / -StrictMath.log(uniform);
    }

    private static long hash(String name) {
        long hash = 1;
        for (int i = 0; i < name.length(); i++) {
            hash = Seeds.mix(31 * hash + name.charAt(i));
        }
        return hash;
    }

    private static String why(
            Collection<Shard> shards,
            List<Holder> workers,
            Map<String, String> placed,
            long moved) {
        double time = shards.stream().mapToDouble(Shard::time).sum();
        double speed = workers.stream().mapToDouble(Holder::speed).sum();
        Map<String, Double> load = new HashMap<>();
        shards.forEach(s -> load.merge(placed.get(s.name()), s.time(), Double::sum));
        double longest =
                workers.stream()
                        .mapToDouble(w -> load.getOrDefault(w.name(), 0.0) / w.speed())
                        .max()
                        .orElse(0);
        return String.format(
                Locale.ROOT,
                "%d shards on %d workers by speed: the longest takes %.0f %% more time than the"
                        + " mean; %d moved",
                shards.size(),
                workers.size(),
                time > 0 ? 100 * (longest * speed / time - 1) : 0,
                moved);
    }
}
