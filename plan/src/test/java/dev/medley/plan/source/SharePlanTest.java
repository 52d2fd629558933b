package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.plan.policy.Groups;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SharePlanTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    /** 1.6, 5.2 and 3.2 of ten. */
    @Test
    @Tag("unit")
    void theLargestRemainderShouldGetTheLastSample() {
        assertThat(SharePlan.split(10, List.of(1.6, 5.2, 3.2))).containsExactly(2, 5, 3);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldCutAnyBatchIntoAlmostExactShares(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int total = 1 + random.nextInt(random.nextBoolean() ? 20 : 100_000);
        List<Double> wanted = wanted(random);
        double sum = wanted.stream().mapToDouble(w -> w).sum();
        List<Integer> shares = SharePlan.split(total, wanted);
        assertThat(shares).hasSameSizeAs(wanted);
        assertThat(shares.stream().mapToInt(s -> s).sum()).as("sum").isEqualTo(total);
        for (int rank = 0; rank < wanted.size(); rank++) {
            double exact = total * wanted.get(rank) / sum;
            assertThat((double) shares.get(rank)).isCloseTo(exact, within(1 - 1e-9));
            if (wanted.get(rank) == 0) {
                assertThat(shares.get(rank)).as("who wants nothing gets nothing").isZero();
            }
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldNeverGiveLessToWhoWantsMore(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Double> wanted = wanted(random);
        List<Integer> shares = SharePlan.split(1 + random.nextInt(500), wanted);
        for (int a = 0; a < wanted.size(); a++) {
            for (int b = 0; b < wanted.size(); b++) {
                if (wanted.get(a) > wanted.get(b) + 1e-9) {
                    assertThat(shares.get(a)).isGreaterThanOrEqualTo(shares.get(b));
                }
            }
        }
    }

    /** Of those that want the same any may get the sample more. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void whoIsWhichRankShouldNotMatter(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Double> wanted = wanted(random);
        int total = 1 + random.nextInt(random.nextBoolean() ? 20 : 100_000);
        List<Double> permuted = new ArrayList<>();
        for (double wish : wanted) {
            permuted.add(random.nextInt(permuted.size() + 1), wish);
        }
        assertThat(byWish(permuted, SharePlan.split(total, permuted)))
                .isEqualTo(byWish(wanted, SharePlan.split(total, wanted)));
    }

    private static Map<Double, List<Integer>> byWish(List<Double> wanted, List<Integer> shares) {
        Map<Double, List<Integer>> shareOf = new TreeMap<>();
        for (int rank = 0; rank < wanted.size(); rank++) {
            shareOf.computeIfAbsent(wanted.get(rank), wish -> new ArrayList<>())
                    .add(shares.get(rank));
        }
        shareOf.values().forEach(Collections::sort);
        return shareOf;
    }

    @Test
    @Tag("unit")
    void aRoundShouldGoThroughTheModelInInnerBatches() {
        Plan round = new SharePlan(1024, 32, 1, List.of(3.0, 1.0)).plan(Groups.of(1, 2), 1, 0);
        assertThat(round.shares()).containsExactly(768, 256);
        assertThat(round.microBatch()).isEqualTo(32);
        assertThat(round.why()).startsWith("round 1024 is cut into [768, 256]");
        Plan cut = new SharePlan(1024, 32, 4, List.of()).plan(Groups.of(1, 2), 1, 0);
        assertThat(cut.microBatch()).as("accumulate cuts inner batches").isEqualTo(8);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldCutEvenlyWithoutWishes(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int workers = 1 + random.nextInt(12);
        int batch = 1 + random.nextInt(300);
        int accumulate = 1 + random.nextInt(5);
        Plan plan = new SharePlan(batch, accumulate, List.of()).plan(Groups.of(1, workers), 4, 9);
        assertThat(plan.version()).isEqualTo(4);
        assertThat(plan.globalBatch()).isEqualTo(batch);
        assertThat(Collections.max(plan.shares()) - Collections.min(plan.shares()))
                .isLessThanOrEqualTo(1);
        int most = Collections.max(plan.shares());
        assertThat(plan.microBatch()).isPositive();
        assertThat((most + plan.microBatch() - 1) / plan.microBatch())
                .as("micro-batches of the largest share")
                .isLessThanOrEqualTo(accumulate);
    }

    @Test
    @Tag("unit")
    void shouldFollowTheSharesThatWereAskedForAndSayWhy() {
        SharePlan source = new SharePlan(10, 1, List.of(3.0, 1.0, 0.0));
        Plan plan = source.plan(Groups.of(1, 3), 1, 0);
        assertThat(plan.shares()).containsExactly(8, 2, 0);
        assertThat(plan.why()).contains("strategy.shares").contains("[8, 2, 0]");
    }

    @Test
    @Tag("unit")
    void shouldCutEvenlyWhereTheWishesAreForAnotherGroup() {
        SharePlan source = new SharePlan(10, 1, List.of(3.0, 1.0, 0.0));
        Plan plan = source.plan(Groups.of(2, 2), 2, 7);
        assertThat(plan.shares()).containsExactly(5, 5);
        assertThat(plan.why()).doesNotContain("strategy.shares");
        assertThat(source.plan(Groups.of(3, 1), 3, 7).why()).contains("one worker");
    }

    @Test
    @Tag("unit")
    void shouldRefuseAnEmptyBatch() {
        assertThatThrownBy(() -> new SharePlan(0, 1, List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("batch=0");
    }

    /** Shares of which one at least is above 0; often with equal and with zero ones among them. */
    private static List<Double> wanted(RandomGenerator random) {
        List<Double> wanted = new ArrayList<>();
        int workers = random.nextInt(9);
        for (int i = 0; i < workers; i++) {
            int kind = random.nextInt(4);
            wanted.add(kind == 0 ? 0 : kind == 1 ? 1.0 : random.nextDouble() * 10);
        }
        wanted.add(random.nextInt(wanted.size() + 1), 0.5 + random.nextDouble());
        return wanted;
    }
}
