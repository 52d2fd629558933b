package dev.medley.base.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Seeds;
import dev.medley.base.placement.ShardPlacement.Holder;
import dev.medley.base.placement.ShardPlacement.Shard;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class ShardPlacementTest {
    private static final int SHARDS = 400;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    /** What a shard's samples really take, and a guess from as many as a run tries. */
    private record Skewed(List<Shard> shards, Map<String, Double> times) {
        static Skewed of(long seed) {
            RandomGenerator random = Seeds.generator(seed);
            List<Shard> shards = new ArrayList<>();
            Map<String, Double> times = new HashMap<>();
            for (int i = 0; i < SHARDS; i++) {
                // As sorted files are: those of the second half hold much longer records.
                double mean = Math.exp(random.nextGaussian()) * (i < SHARDS / 2 ? 1 : 3);
                List<Double> tried = new ArrayList<>();
                for (int k = 0; k < ShardPlacement.TRIED; k++) {
                    tried.add(mean * -Math.log(1 - random.nextDouble()));
                }
                String name = "shard-" + i;
                times.put(name, 1000 * mean);
                shards.add(
                        new Shard(name, 1000, "", "").taking(ShardPlacement.estimate(1000, tried)));
            }
            return new Skewed(shards, times);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void skewedShardsShouldTakeAllWorkersAboutAsLong(long seed) {
        Skewed skewed = Skewed.of(seed);
        List<Holder> workers = workers(seed, 8);
        Map<String, String> placed =
                ShardPlacement.of(skewed.shards(), workers, Map.of()).byShard();
        assertThat(variation(placed, skewed.times(), workers)).isLessThan(0.07);
        assertThat(variation(placed, costs(skewed.shards()), workers))
                .as("each has as many samples as its speed says")
                .isLessThan(0.03);
        Map<String, String> equal = new HashMap<>();
        for (int i = 0; i < SHARDS; i++) {
            equal.put("shard-" + i, workers.get(i * 8 / SHARDS).name());
        }
        assertThat(variation(equal, skewed.times(), workers)).isGreaterThan(0.25);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aWorkerThatLeavesShouldMoveLittleMoreThanItsOwnShards(long seed) {
        List<Shard> shards = Skewed.of(seed).shards();
        List<Holder> workers = workers(seed, 8);
        Map<String, String> before = ShardPlacement.of(shards, workers, Map.of()).byShard();
        Holder gone = workers.get((int) (seed % 8));
        List<Holder> rest = workers.stream().filter(w -> w != gone).toList();
        ShardPlacement after = ShardPlacement.of(shards, rest, before);
        double all = shards.stream().mapToDouble(Shard::cost).sum();
        double own = moved(shards, before, Map.of(), gone.name());
        assertThat(moved(shards, before, after.byShard(), null)).isLessThan(own + 0.05 * all);
        assertThat(after.byShard().values()).doesNotContain(gone.name());
        assertThat(variation(after.byShard(), costs(shards), rest)).isLessThan(0.07);
        ShardPlacement again = ShardPlacement.of(shards, workers, after.byShard());
        assertThat(moved(shards, after.byShard(), again.byShard(), null))
                .as("one comes back")
                .isLessThan(own + 0.05 * all);
        assertThat(ShardPlacement.of(shards, workers, before).moved())
                .as("of %d shards nearly none without need", SHARDS)
                .isLessThan(SHARDS / 40);
    }

    /** Cost of the shards that lie elsewhere now; of those of one worker, where it is named. */
    private static double moved(
            List<Shard> shards, Map<String, String> from, Map<String, String> to, String of) {
        return shards.stream()
                .filter(s -> of == null || of.equals(from.get(s.name())))
                .filter(s -> !from.get(s.name()).equals(to.get(s.name())))
                .mapToDouble(Shard::cost)
                .sum();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theOrderOfShardsAndWorkersShouldNotMatter(long seed) {
        List<Shard> shards = new ArrayList<>(Skewed.of(seed).shards());
        List<Holder> workers = new ArrayList<>(workers(seed, 5));
        Map<String, String> placed = ShardPlacement.of(shards, workers, Map.of()).byShard();
        Collections.reverse(shards);
        Collections.reverse(workers);
        assertThat(ShardPlacement.of(shards, workers, Map.of()).byShard()).isEqualTo(placed);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachStratumShouldBeSpreadBySpeed(long seed) {
        List<Holder> workers = workers(seed, 4);
        List<Shard> shards =
                IntStream.range(0, SHARDS)
                        .mapToObj(i -> new Shard("s" + i, 1, "", i % 10 == 0 ? "rare" : "usual"))
                        .toList();
        Map<String, String> placed = ShardPlacement.of(shards, workers, Map.of()).byShard();
        double speed = workers.stream().mapToDouble(Holder::speed).sum();
        for (Holder worker : workers) {
            long rare =
                    IntStream.range(0, SHARDS)
                            .filter(i -> i % 10 == 0)
                            .filter(i -> worker.name().equals(placed.get("s" + i)))
                            .count();
            assertThat((double) rare)
                    .isBetween(
                            Math.floor(40 * worker.speed() / speed) - 4,
                            40 * worker.speed() / speed + 4);
        }
    }

    /** Each class one shard, as of files that are sorted by a thousand classes. */
    @Test
    void strataOfFewerShardsThanWorkersShouldNotPileUp() {
        List<Shard> shards = new ArrayList<>();
        for (int stratum = 0; stratum < 300; stratum++) {
            shards.add(new Shard("shard-" + stratum, 1, "", "class " + stratum));
        }
        List<Holder> workers = new ArrayList<>();
        for (int worker = 0; worker < 6; worker++) {
            workers.add(new Holder("worker-" + worker, worker < 3 ? 1 : 3, "", List.of()));
        }
        Map<String, String> placed = ShardPlacement.of(shards, workers, Map.of()).byShard();
        for (Holder worker : workers) {
            long has = placed.values().stream().filter(worker.name()::equals).count();
            assertThat((double) has).isBetween(25 * worker.speed() - 3, 25 * worker.speed() + 3);
        }
    }

    @Test
    @Tag("unit")
    void shardsShouldLieNearWhereThereIsRoom() {
        List<Holder> workers =
                List.of(
                        new Holder("a", 1, "north", List.of()),
                        new Holder("b", 1, "south", List.of("s1", "s3")));
        List<Shard> shards =
                IntStream.range(0, SHARDS)
                        .mapToObj(i -> new Shard("s" + i, 1, i % 2 == 0 ? "north" : "south", ""))
                        .toList();
        Map<String, String> placed = ShardPlacement.of(shards, workers, Map.of()).byShard();
        long near =
                IntStream.range(0, SHARDS)
                        .filter(i -> placed.get("s" + i).equals(i % 2 == 0 ? "a" : "b"))
                        .count();
        assertThat(near).isGreaterThan(SHARDS * 3 / 4);
        assertThat(ShardPlacement.of(shards, workers, Map.of()).why())
                .startsWith("400 shards on 2 workers by speed: the longest takes ")
                .endsWith("0 moved");
        assertThatThrownBy(() -> ShardPlacement.of(shards, List.of(), Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** As many as come, in strata or not, wherever they lay before. */
    @ParameterizedTest
    @MethodSource("seeds")
    void equalWorkersShouldGetEqualShardsWithinOne(long seed) {
        RandomGenerator random = Seeds.generator(seed, 3);
        List<Holder> workers = alike(2 + random.nextInt(9));
        int strata = 1 + random.nextInt(4);
        List<Shard> shards =
                IntStream.range(0, 1 + random.nextInt(SHARDS))
                        .mapToObj(i -> new Shard("s" + i, 7, "", "" + random.nextInt(strata)))
                        .toList();
        Map<String, String> before = new HashMap<>();
        for (int times = 0; times < 2; times++) {
            Map<String, String> placed = ShardPlacement.of(shards, workers, before).byShard();
            assertThat(placed).hasSameSizeAs(shards);
            long least = workers.stream().mapToLong(w -> number(placed, w)).min().orElseThrow();
            assertThat(workers).allMatch(w -> number(placed, w) <= least + 1);
            shards.forEach(s -> before.put(s.name(), "w" + random.nextInt(12)));
        }
    }

    /** Large ones that are new among small ones that have a place: those give way. */
    @ParameterizedTest
    @MethodSource("seeds")
    void noShardShouldBeLeftThatWouldMakeEqualWorkersMoreEven(long seed) {
        RandomGenerator random = Seeds.generator(seed, 4);
        List<Holder> workers = alike(2 + random.nextInt(9));
        List<Shard> shards =
                IntStream.range(0, 1 + random.nextInt(200))
                        .mapToObj(
                                i ->
                                        new Shard(
                                                "s" + i,
                                                Math.exp(2 * random.nextGaussian()),
                                                "",
                                                ""))
                        .toList();
        List<Shard> known =
                shards.stream().filter(s -> s.cost() < 1 || random.nextInt(4) == 0).toList();
        Map<String, String> before = ShardPlacement.of(known, workers, Map.of()).byShard();
        Map<String, String> placed = ShardPlacement.of(shards, workers, before).byShard();
        Map<String, Double> has = new HashMap<>();
        workers.forEach(w -> has.put(w.name(), 0.0));
        shards.forEach(s -> has.merge(placed.get(s.name()), s.cost(), Double::sum));
        double mean = shards.stream().mapToDouble(Shard::cost).sum() / workers.size();
        double gap = Collections.max(has.values()) - Collections.min(has.values());
        List<String> last =
                has.keySet().stream()
                        .filter(w -> has.get(w) >= Collections.max(has.values()) - 1e-9)
                        .toList();
        assertThat(shards)
                .filteredOn(s -> last.contains(placed.get(s.name())))
                .allMatch(s -> gap <= 0.04 * mean + 1e-9 || s.cost() > gap / 2 - 1e-9);
    }

    private static List<Holder> alike(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Holder("w" + i, 1, "", List.of()))
                .toList();
    }

    /** Whoever is faster than before, with all else as it was, has at least nearly as much. */
    @ParameterizedTest
    @MethodSource("seeds")
    void fasterShouldNeverGetLess(long seed) {
        List<Shard> shards = Skewed.of(seed).shards();
        List<Holder> workers = workers(seed, 6);
        Holder slow = workers.get((int) (seed % 6));
        Map<String, String> before = ShardPlacement.of(shards, workers, Map.of()).byShard();
        List<Holder> faster = new ArrayList<>(workers);
        faster.set(
                (int) (seed % 6),
                new Holder(slow.name(), slow.speed() * (1.2 + seed / 10.0), "", List.of()));
        Map<String, String> after = ShardPlacement.of(shards, faster, before).byShard();
        assertThat(number(after, slow)).isGreaterThan(number(before, slow));
        for (Holder other : workers) {
            if (other != slow) {
                assertThat(number(after, other)).isLessThanOrEqualTo(number(before, other) + 1);
            }
        }
    }

    private static long number(Map<String, String> placed, Holder of) {
        return placed.values().stream().filter(of.name()::equals).count();
    }

    private static List<Holder> workers(long seed, int count) {
        RandomGenerator random = Seeds.generator(seed, 2);
        return IntStream.range(0, count)
                .mapToObj(i -> new Holder("w" + i, 0.25 + random.nextDouble(), "", List.of()))
                .toList();
    }

    private static Map<String, Double> costs(List<Shard> shards) {
        Map<String, Double> costs = new HashMap<>();
        shards.forEach(s -> costs.put(s.name(), s.cost()));
        return costs;
    }

    /** Standard deviation of the workers' times over their mean. */
    private static double variation(
            Map<String, String> placed, Map<String, Double> times, List<Holder> workers) {
        double[] sums =
                workers.stream()
                        .mapToDouble(
                                w ->
                                        placed.entrySet().stream()
                                                        .filter(e -> e.getValue().equals(w.name()))
                                                        .mapToDouble(e -> times.get(e.getKey()))
                                                        .sum()
                                                / w.speed())
                        .toArray();
        double mean = IntStream.range(0, sums.length).mapToDouble(i -> sums[i]).average().orElse(0);
        double squares =
                IntStream.range(0, sums.length)
                        .mapToDouble(i -> (sums[i] - mean) * (sums[i] - mean))
                        .average()
                        .orElse(0);
        return Math.sqrt(squares) / mean;
    }
}
