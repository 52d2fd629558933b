package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.placement.ShardPlacement.Shard;
import dev.medley.plan.policy.Groups;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class PlacedPlanTest {
    private static final List<Shard> SHARDS =
            IntStream.range(0, 400)
                    .mapToObj(s -> new Shard("shard-" + s, 100, "", s < 200 ? "cat" : "dog"))
                    .toList();

    private final PlacedPlan plans = around(4, 2, 1, 1);

    @Test
    void ranksShouldKeepShardsAsTheirSharesAreOfEveryStratum() {
        Plan plan = plans.plan(Groups.of(1, 4), 1, 0);
        assertThat(plan.owners()).hasSize(400);
        for (List<Integer> stratum :
                List.of(plan.owners().subList(0, 200), plan.owners().subList(200, 400))) {
            assertThat(Collections.frequency(stratum, 0)).isBetween(96, 104);
            assertThat(Collections.frequency(stratum, 1)).isBetween(48, 52);
            assertThat(Collections.frequency(stratum, 2)).isBetween(23, 27);
        }
        assertThat(plan.why()).contains("400 shards on 4 workers by speed").endsWith("; 0 moved");
    }

    /** Rank 3 leaves: what the others had stays where it is. */
    @Test
    void fewShardsShouldMoveWhenSomebodyLeaves() {
        Group all = Groups.of(1, 4);
        Plan before = plans.plan(all, 1, 0);
        Group rest = new Group(2, all.members().subList(0, 3));
        Plan after = plans.plan(rest, 2, 10);
        int moved = 0;
        for (int shard = 0; shard < 400; shard++) {
            int was = before.owners().get(shard);
            moved += was == after.owners().get(shard) ? 0 : 1;
        }
        int lost = Collections.frequency(before.owners(), 3);
        assertThat(moved).isBetween(lost, lost + 20);
    }

    /** It has 64 and room for 50; without, it would get eight of them. */
    @Test
    void shardsShouldGoToTheMachineThatHasThem() {
        Group all = Groups.of(1, 4);
        List<Integer> has = IntStream.range(0, 64).map(s -> s % 32 + s / 32 * 200).boxed().toList();
        plans.holds(all.members().get(2).worker(), has);
        List<Integer> owners = plans.plan(all, 1, 0).owners();
        assertThat(has.stream().filter(shard -> owners.get(shard) == 2)).hasSizeGreaterThan(40);
        assertThat(Collections.frequency(owners, 2)).as("no more than its share").isBetween(46, 54);
    }

    /** One of each site leaves. */
    @Test
    void shardsThatHaveToMoveShouldStayAtTheirSite() {
        PlacedPlan even = around(1, 1, 1, 1, 1, 1);
        List<Member> all =
                IntStream.range(0, 6)
                        .mapToObj(i -> Groups.of(1, 6).members().get(i).at(i < 3 ? "a" : "b"))
                        .toList();
        Plan before = even.plan(new Group(1, all), 1, 0);
        List<Member> rest = List.of(all.get(0), all.get(1), all.get(3), all.get(4));
        Plan after = even.plan(new Group(2, rest), 2, 10);
        List<Integer> moved =
                IntStream.range(0, 400)
                        .filter(s -> before.owners().get(s) == 2 || before.owners().get(s) == 5)
                        .boxed()
                        .toList();
        long stayed =
                moved.stream()
                        .filter(s -> before.owners().get(s) == 2 == after.owners().get(s) < 2)
                        .count();
        assertThat((double) stayed).isGreaterThan(0.8 * moved.size());
    }

    @Test
    void aRankWithoutAShareShouldKeepNothing() {
        Plan plan = around(3, 0, 1).plan(Groups.of(1, 3), 1, 0);
        assertThat(plan.owners()).doesNotContain(1);
    }

    private static PlacedPlan around(double... shares) {
        List<Double> all = Arrays.stream(shares).boxed().toList();
        return new PlacedPlan(
                (group, version, step) ->
                        new SharePlan(64, 1, all.subList(0, group.size()))
                                .plan(group, version, step),
                SHARDS);
    }
}
