package dev.medley.serving.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.CanaryGoals.Better;
import dev.medley.serving.registry.CanaryGoals.IfGood;
import dev.medley.serving.registry.TrafficPlan;
import dev.medley.serving.traffic.GivenTrial.End;
import dev.medley.serving.traffic.GivenTrial.Version;
import dev.medley.serving.traffic.RolloutPolicy.Step;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Equal versions go on, worse ones are rolled back, good ones are promoted where a plan says so.
 */
@Tag("simulation")
class RolloutPolicyTest {
    private static final CanaryGoals CLICKS =
            new CanaryGoals("clicks", Better.HIGHER, 0, 1, 0.02, IfGood.WAIT);
    private static final Version USUAL = new Version(0.01, 5, 0.4, 0.3);

    @Test
    void equalVersionsShouldBeRolledBackInOneOfAHundredAtMost() {
        long pairs = Math.max(200, Long.getLong("medley.seeds", 200));
        int rolledBack = 0;
        for (int seed = 0; seed < pairs; seed++) {
            RandomGenerator random = Seeds.generator(seed, 1);
            Version same =
                    new Version(
                            random.nextInt(3) == 0 ? 0 : 0.2 * Math.pow(random.nextDouble(), 3),
                            0.5 + 40 * random.nextDouble(),
                            0.1 + random.nextDouble(),
                            random.nextDouble());
            double share = random.nextInt(2) == 0 ? 0.05 : 0.02 + 0.5 * random.nextDouble();
            double perSecond = 20 + 200 * random.nextDouble();
            End end = new GivenTrial(seed, share, CLICKS, perSecond, same, same).run(180, 1);
            rolledBack += end.decision().step() == Step.ROLL_BACK ? 1 : 0;
        }
        assertThat(rolledBack).isLessThanOrEqualTo((int) (pairs / 100));
    }

    @Test
    void aVersionThatFailsShouldBeRolledBackWithinSeconds() {
        for (int seed = 0; seed < 40; seed++) {
            Version bad = new Version(seed % 2 == 0 ? 1 : 0.5, 5, 0.4, 0.3);
            End end = new GivenTrial(seed, 0.05, CLICKS, 100, USUAL, bad).run(60, 1);
            assertThat(end.decision().step()).as(end.decision().why()).isEqualTo(Step.ROLL_BACK);
            assertThat(end.decision().why()).contains("version 2 fails in");
            assertThat(end.seconds()).isLessThanOrEqualTo(seed % 2 == 0 ? 3 : 5);
        }
    }

    @Test
    void aVersionThatIsSlowShouldBeRolledBackWithinSeconds() {
        int soon = 0;
        for (int seed = 0; seed < 40; seed++) {
            Version slow = new Version(0.01, seed % 2 == 0 ? 500 : 25, 0.4, 0.3);
            End end = new GivenTrial(seed, 0.05, CLICKS, 100, USUAL, slow).run(60, 1);
            assertThat(end.decision().step()).as(end.decision().why()).isEqualTo(Step.ROLL_BACK);
            assertThat(end.decision().why()).contains("version 2 takes");
            assertThat(end.seconds()).isLessThanOrEqualTo(12);
            soon += end.seconds() <= 5 ? 1 : 0;
        }
        assertThat(soon).isGreaterThanOrEqualTo(32);
    }

    @Test
    void aVersionWithAWorseMetricShouldBeRolledBack() {
        for (int seed = 0; seed < 20; seed++) {
            Version bad = new Version(0.01, 5, 0.4, 0.1);
            End end = new GivenTrial(seed, 0.1, CLICKS, 100, USUAL, bad).run(120, 1);
            assertThat(end.decision().step()).as(end.decision().why()).isEqualTo(Step.ROLL_BACK);
            assertThat(end.decision().why()).startsWith("clicks is 0.");
        }
    }

    @Test
    void aGoodVersionShouldBePromotedIfThePlanSaysSoAndNoEarlier() {
        CanaryGoals goals = new CanaryGoals("", Better.HIGHER, 0, 1, 0.01, IfGood.PROMOTE);
        for (int seed = 0; seed < 20; seed++) {
            Version better = new Version(0.001, 4, 0.4, 0.3);
            End end = new GivenTrial(seed, 0.2, goals, 200, USUAL, better).run(600, 1);
            assertThat(end.decision().step()).as(end.decision().why()).isEqualTo(Step.PROMOTE);
            assertThat(end.decision().why()).startsWith("version 2 is as good as version 1");
            assertThat(end.seconds()).isGreaterThan(2.5);
        }
        End waits = new GivenTrial(7, 0.2, CanaryGoals.USUAL, 200, USUAL, USUAL).run(120, 1);
        assertThat(waits.decision().step()).isEqualTo(Step.GO_ON);
    }

    @Test
    void aVersionThatIsWorseByMoreThanTheMarginShouldHardlyEverBePromoted() {
        CanaryGoals goals = new CanaryGoals("", Better.HIGHER, 0, 1, 0.01, IfGood.PROMOTE);
        int promoted = 0;
        for (int seed = 0; seed < 60; seed++) {
            Version worse = new Version(0.022, 5, 0.4, 0.3);
            End end = new GivenTrial(seed, 0.3, goals, 100, USUAL, worse).run(120, 1);
            promoted += end.decision().step() == Step.PROMOTE ? 1 : 0;
        }
        assertThat(promoted).isLessThanOrEqualTo(1);
    }

    @Test
    void laterServersShouldNeedMoreSoThatAllTogetherKeepTheLevel() {
        double sum = 0;
        for (int seat = 1; seat <= 10_000; seat++) {
            sum += 1.0 / (seat * (seat + 1.0));
        }
        assertThat(sum).isLessThanOrEqualTo(1);
        TrafficPlan plan = TrafficPlan.canary(1, 2, 0.1, 3, CanaryGoals.USUAL);
        Comparison none = new Comparison(1000, 0.01, 100, 0.01, 1, 1);
        Comparison much = new Comparison(1000, 0, 100, 0.3, 500, 1);
        Evidence evidence = new Evidence(10, much, none, null);
        assertThat(RolloutPolicy.decide(plan, evidence, 1).step()).isEqualTo(Step.ROLL_BACK);
        assertThat(RolloutPolicy.decide(plan, evidence, 2).step()).isEqualTo(Step.GO_ON);
        assertThat(RolloutPolicy.decide(plan, evidence, Integer.MAX_VALUE).step())
                .as("a server that has no seat yet")
                .isEqualTo(Step.GO_ON);
    }
}
