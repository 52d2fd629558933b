package dev.medley.exchange.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sites by latency: machines near each other and far from the others. */
@Tag("property")
class FoundSitesTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFindTheSitesThatLatenciesWereMadeOf(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int sites = 2 + random.nextInt(4);
        int extra = random.nextInt(10);
        List<Integer> truth = new ArrayList<>();
        for (int machine = 0; machine < sites + 1 + extra; machine++) {
            truth.add(machine < sites ? machine : random.nextInt(sites));
        }
        long inside = 100 + random.nextInt(1900);
        FoundSites found = FoundSites.of(trips(truth, inside, inside * 6 + 1500, random));
        assertThat(found.siteOf()).isEqualTo(truth);
        assertThat(found.why()).contains(sites + " sites by latency", "ms between");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFindOneSiteWhereNoGapIsWideEnough(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Integer> all =
                new ArrayList<>(java.util.Collections.nCopies(2 + random.nextInt(8), 0));
        long nearest = 1 + random.nextInt(3_000);
        assertThat(FoundSites.of(trips(all, nearest, nearest, random)).count()).isEqualTo(1);
    }

    /** Four times as far, but all within a millisecond: switches, not clouds. */
    @Test
    void shouldNotTakeARackForASite() {
        List<List<Long>> us =
                List.of(List.of(0L, 100L, 900L), List.of(100L, 0L, 900L), List.of(900L, 900L, 0L));
        assertThat(FoundSites.of(us).count()).isEqualTo(1);
    }

    @Test
    void shouldTakeTwoDistantMachinesForTwoSites() {
        assertThat(FoundSites.of(List.of(List.of(0L, 40_000L), List.of(41_000L, 0L))).siteOf())
                .containsExactly(0, 1);
        assertThat(FoundSites.of(List.of(List.of(0L, 900L), List.of(800L, 0L))).count())
                .isEqualTo(1);
        assertThat(FoundSites.of(List.of(List.of(0L))).count()).isEqualTo(1);
    }

    /** Four times a millisecond, before which nothing is. */
    @Test
    void theFirstJoinShouldBeComparedWithAMillisecond() {
        assertThat(FoundSites.of(two(3_999)).count()).isEqualTo(1);
        assertThat(FoundSites.of(two(4_000)).count()).isEqualTo(2);
    }

    private static List<List<Long>> two(long apart) {
        return List.of(List.of(0L, apart), List.of(apart, 0L));
    }

    /** However near two of them are, a third is far only a millisecond beyond 250 us. */
    @Test
    void aShortJoinShouldCountAsAQuarterOfAMillisecond() {
        for (long near : new long[] {0, 20, 250}) {
            assertThat(FoundSites.of(three(near, 1_249)).siteOf()).containsExactly(0, 0, 0);
            assertThat(FoundSites.of(three(near, 1_250)).siteOf()).containsExactly(0, 0, 1);
        }
        assertThat(FoundSites.of(three(400, 1_599)).siteOf()).containsExactly(0, 0, 0);
        assertThat(FoundSites.of(three(400, 1_600)).siteOf()).containsExactly(0, 0, 1);
    }

    private static List<List<Long>> three(long near, long far) {
        return List.of(List.of(0L, near, far), List.of(near, 0L, far), List.of(far, far, 0L));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldTakeEveryMachineForASiteWhereAllAreFarApart(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int size = 2 + random.nextInt(8);
        List<Integer> all = new ArrayList<>(java.util.Collections.nCopies(size, 0));
        long nearest = 6_000 + random.nextInt(50_000);
        assertThat(FoundSites.of(trips(all, nearest, nearest, random)).count()).isEqualTo(size);
    }

    /** Permuting machines permutes the result: numbers aside, the same are together. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNotDependOnTheOrderOfMachines(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int size = 2 + random.nextInt(8);
        List<List<Long>> us = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            List<Long> row = new ArrayList<>();
            for (int k = 0; k < size; k++) {
                row.add(i == k ? 0 : (long) Math.exp(4 + 8 * random.nextDouble()));
            }
            us.add(row);
        }
        List<List<Long>> reversed = new ArrayList<>();
        for (int i = size - 1; i >= 0; i--) {
            List<Long> row = new ArrayList<>(us.get(i));
            java.util.Collections.reverse(row);
            reversed.add(row);
        }
        List<Integer> one = FoundSites.of(us).siteOf();
        List<Integer> other = FoundSites.of(reversed).siteOf();
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                assertThat(one.get(i).equals(one.get(k)))
                        .isEqualTo(other.get(size - 1 - i).equals(other.get(size - 1 - k)));
            }
        }
    }

    private static List<List<Long>> trips(
            List<Integer> siteOf, long inside, long between, RandomGenerator random) {
        List<List<Long>> us = new ArrayList<>();
        for (int i = 0; i < siteOf.size(); i++) {
            List<Long> row = new ArrayList<>();
            for (int k = 0; k < siteOf.size(); k++) {
                long base = siteOf.get(i).equals(siteOf.get(k)) ? inside : between;
                row.add(i == k ? 0 : (long) (base * (1 + 0.2 * random.nextDouble())));
            }
            us.add(row);
        }
        return us;
    }
}
