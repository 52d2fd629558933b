package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.GradientNoise.Scale;
import dev.medley.plan.source.AdaptivePlan;
import dev.medley.plan.source.BalancedPlan;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.plan.source.SharePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchPolicyTest {
    private static final SharePlan EVEN = new SharePlan(64, 1024, 1, List.of());
    private static final BatchPolicy GROWING = BatchPolicy.of(64, 1024);

    /** A step costs 10 ms whatever it takes, and 10 us a sample. */
    private static double stepNs(int samples) {
        return 1e7 + 1e4 * samples;
    }

    @Test
    @Tag("unit")
    void efficiencyAndGainShouldBeThoseOfPolluxAndAdaScale() {
        BatchPolicy policy = BatchPolicy.of(64, 1024);
        double variance = 3.0;
        double signal = 0.01;
        double first = variance / 64; // v of AdaptDL: the variance of a gradient over B0.
        for (int batch : List.of(64, 100, 512)) {
            double scale = batch / 64.0;
            double gain = (first + signal) / (first / scale + signal);
            double phi = variance / signal;
            assertThat(policy.efficiency(batch, phi)).isCloseTo(gain / scale, Offset.offset(1e-9));
            assertThat(policy.learningRateScale(batch, phi)).isCloseTo(gain, Offset.offset(1e-9));
            assertThat(BatchPolicy.ofRoot(64, 1024).learningRateScale(batch, phi))
                    .isCloseTo(Math.sqrt(gain), Offset.offset(1e-9));
        }
    }

    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldStayWithinBoundsAndChangeOnlyForAGain(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        for (int i = 0; i < 200; i++) {
            int first = 1 + random.nextInt(100);
            int largest = first + random.nextInt(2000);
            BatchPolicy policy =
                    random.nextBoolean()
                            ? BatchPolicy.of(first, largest)
                            : BatchPolicy.ofRoot(first, largest);
            int batch = first + random.nextInt(largest - first + 1);
            double phi = Math.exp(random.nextDouble() * 12);
            BatchPolicy.Decision decision =
                    policy.decide(batch, Scale.of(phi), BatchPolicyTest::stepNs);
            assertThat(decision.batch()).isBetween(first, largest);
            assertThat(decision.batch()).isBetween(batch / 2, 2 * batch + 1);
            assertThat(decision.isChange()).isEqualTo(decision.batch() != batch);
            assertThat(decision.learningRateScale())
                    .isBetween(1.0 - 1e-9, (double) decision.batch() / first + 1e-9);
            BatchPolicy.Decision next =
                    policy.decide(decision.batch(), Scale.of(phi), BatchPolicyTest::stepNs);
            boolean turnsBack = (next.batch() - decision.batch()) * (decision.batch() - batch) < 0;
            assertThat(turnsBack).as("no way back for the same reasons").isFalse();
        }
    }

    @Test
    @Tag("unit")
    void moreNoiseShouldGiveALargerBatch() {
        assertThat(settled(10)).isEqualTo(64);
        assertThat(settled(500)).isBetween(300, 800);
        assertThat(settled(5_000)).isGreaterThan(1200).isLessThan(4096);
        assertThat(settled(Double.POSITIVE_INFINITY)).isEqualTo(4096);
        assertThat(
                        BatchPolicy.ofRoot(64, 1024)
                                .decide(64, Scale.of(1e4), BatchPolicyTest::stepNs)
                                .why())
                .startsWith(
                        "the batch changes from 64 to 128: the noise scale is at least 10,000"
                                + " samples")
                .endsWith("learning rate x 1.41");
        assertThatThrownBy(() -> BatchPolicy.ofRoot(64, 32)).isInstanceOf(ConfigException.class);
    }

    /** The most and the least that it may be at once, and as much as the user allows. */
    @Test
    @Tag("unit")
    void aBatchShouldReachItsBoundsExactly() {
        Scale noise = Scale.of(Double.POSITIVE_INFINITY);
        BatchPolicy.Decision doubled = GROWING.decide(128, noise, samples -> 1e7);
        assertThat(doubled.batch()).isEqualTo(256);
        assertThat(doubled.learningRateScale()).as("of 64").isEqualTo(4);
        assertThat(BatchPolicy.of(64, 200).decide(128, noise, samples -> 1e7).batch())
                .isEqualTo(200);
        assertThat(GROWING.decide(512, Scale.of(1), samples -> 1e4 * samples).batch())
                .isEqualTo(256);
        assertThat(BatchPolicy.of(64, 64).decide(64, noise, samples -> 1e7).isChange()).isFalse();
    }

    private static Measured step(int share, int rank) {
        return new Measured(share, (long) ((2e6 + 1e4 * share) * (rank + 1)), 0, 1_000_000, 0);
    }

    private static int settled(double phi) {
        BatchPolicy policy = BatchPolicy.ofRoot(64, 4096);
        int batch = 64;
        for (int i = 0; i < 20; i++) {
            batch = policy.decide(batch, Scale.of(phi), BatchPolicyTest::stepNs).batch();
        }
        return batch;
    }

    @Test
    @Tag("unit")
    void doubtShouldKeepTheBatch() {
        BatchPolicy policy = BatchPolicy.of(64, 1024);
        Scale doubt = new Scale(20, Double.POSITIVE_INFINITY);
        assertThat(policy.decide(128, doubt, BatchPolicyTest::stepNs).isChange()).isFalse();
        assertThat(policy.decide(128, doubt, BatchPolicyTest::stepNs).learningRateScale())
                .isBetween(1.0, 1.2);
    }

    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void theNoiseScaleShouldLieWithinItsBounds(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        GradientNoise noise = GradientNoise.UNKNOWN;
        int inside = 0;
        for (int step = 1; step <= 1000; step++) {
            assertThat(noise.isKnown()).isEqualTo(step > 20);
            noise =
                    noise.after(
                            new NoiseSample(
                                    1 + 2 * random.nextGaussian(), 500 + random.nextGaussian()));
            Scale scale = noise.scale();
            assertThat(scale.least()).isLessThanOrEqualTo(scale.most());
            inside += scale.least() <= 500 && 500 <= scale.most() ? 1 : 0;
        }
        assertThat(inside).as("one standard error to each side, of 1,000").isGreaterThan(350);
        assertThat(noise.after(new NoiseSample(Double.NaN, 1))).isSameAs(noise);
    }

    /**
     * What the signal's mean is off by in many runs is as large as each of them says, or nearly.
     */
    @Test
    @Tag("property")
    void theSignalsErrorShouldBeAsLargeAsItIsSaidToBe() {
        int runs = 400;
        double squares = 0;
        double said = 0;
        for (int run = 0; run < runs; run++) {
            RandomGenerator random = Seeds.generator(17, run);
            GradientNoise noise = GradientNoise.UNKNOWN;
            for (int step = 0; step < 600; step++) {
                noise = noise.after(new NoiseSample(10 + 3 * random.nextGaussian(), 1000));
            }
            Scale scale = noise.scale();
            double mean = (1000 / scale.least() + 1000 / scale.most()) / 2;
            double error = (1000 / scale.least() - 1000 / scale.most()) / 2;
            squares += (mean - 10) * (mean - 10) / runs;
            said += error * error / runs;
        }
        assertThat(Math.sqrt(said / squares)).isBetween(0.85, 1.15);
    }

    /** Two of equal weight, nearly: known by hand. */
    @Test
    @Tag("unit")
    void theNoiseScaleShouldBeTheQuotientOfTheMeans() {
        GradientNoise noise =
                GradientNoise.UNKNOWN.after(new NoiseSample(4, 90)).after(new NoiseSample(6, 110));
        double weight = 1.99;
        double mean = (0.99 * 4 + 6) / weight;
        double scatter = (0.99 * 16 + 36) / weight - mean * mean;
        double error = Math.sqrt(scatter * (0.99 * 0.99 + 1)) / weight;
        double variance = (0.99 * 90 + 110) / weight;
        Scale scale = noise.scale();
        assertThat(scale.least()).isCloseTo(variance / (mean + error), Offset.offset(1e-9));
        assertThat(scale.most()).isCloseTo(variance / (mean - error), Offset.offset(1e-9));
        assertThat(noise.isKnown()).isFalse();
    }

    /** Two workers of which the second is half as fast, and a gradient that is mostly noise. */
    @ParameterizedTest
    @Tag("simulation")
    @ValueSource(booleans = {true, false})
    void aRunShouldGrowItsBatchAndKeepItAcrossGroups(boolean isBalanced) {
        AdaptivePlan source = isBalanced ? AdaptivePlan.of(balanced(), GROWING) : even();
        List<Plan> plans = noisySteps(source);
        List<Integer> batches = plans.stream().map(Plan::globalBatch).toList();
        Plan plan = plans.get(plans.size() - 1);
        assertThat(plans.get(0).learningRateScale()).isEqualTo(1);
        assertThat(plan.globalBatch()).isGreaterThanOrEqualTo(200);
        assertThat(batches).as("plans of %s", batches).hasSizeLessThanOrEqualTo(11);
        assertThat(plan.learningRateScale()).isGreaterThan(1.5);
        Plan three = source.plan(Groups.of(99, 3), 99, 400);
        assertThat(three.globalBatch()).isEqualTo(plan.globalBatch());
        assertThat(three.learningRateScale()).isEqualTo(plan.learningRateScale());
        assertThat(plan.shares().get(0)).isGreaterThanOrEqualTo(plan.shares().get(1));
    }

    @Test
    @Tag("simulation")
    void aBatchShouldNotGrowBeyondTheMemoryOfItsMachines() {
        BatchRoom room = new BatchRoom(1 << 20, Long.MAX_VALUE);
        AdaptivePlan source = AdaptivePlan.of(balanced().within(room), GROWING);
        source.comes(new WorkerId(1), new MachineKind("small", (400 + 2 * 50L) << 20));
        source.comes(new WorkerId(2), new MachineKind("large", (400 + 2 * 90L) << 20));
        List<Plan> plans = noisySteps(source);
        Plan plan = plans.get(plans.size() - 1);
        assertThat(plan.globalBatch()).isGreaterThan(100).isLessThanOrEqualTo(140);
        assertThat(plan.shares().get(0)).isEqualTo(50);
        assertThat(plan.why())
                .startsWith("the batch changes from ")
                .endsWith("; memory has room for at most 50 on rank 0");
    }

    /** Nobody has tried anything: what steps say is all that is known. */
    @Test
    @Tag("unit")
    void whatCutsABatchShouldHearOfSteps() {
        List<Plan> plans = noisySteps(AdaptivePlan.of(balanced(), GROWING), List.of());
        List<Integer> last = plans.get(plans.size() - 1).shares();
        assertThat(last.get(0)).isGreaterThan(last.get(1));
    }

    private static AdaptivePlan even() {
        return AdaptivePlan.of(EVEN, GROWING);
    }

    private static BalancedPlan balanced() {
        return new BalancedPlan(EVEN, Balance.of(64), 1_000_000);
    }

    /** All plans of 400 steps. */
    private static List<Plan> noisySteps(AdaptivePlan source) {
        return noisySteps(source, List.of(8, 32));
    }

    private static List<Plan> noisySteps(AdaptivePlan source, List<Integer> tried) {
        RandomGenerator random = Seeds.generator(7);
        for (int rank = 0; rank < 2; rank++) {
            int of = rank;
            source.joins(
                    new WorkerId(rank + 1), tried.stream().map(share -> step(share, of)).toList());
        }
        List<Plan> plans = new ArrayList<>(List.of(source.plan(Groups.of(1, 2), 1, 0)));
        for (int step = 1; step <= 400; step++) {
            Map<WorkerId, Measured> measured = new HashMap<>();
            for (int rank = 0; rank < 2; rank++) {
                int share = plans.get(plans.size() - 1).shares().get(rank);
                measured.put(new WorkerId(rank + 1), step(share, rank));
            }
            source.noised(
                    new NoiseSample(1 + random.nextGaussian(), 1000 * (1 + random.nextGaussian())));
            source.stepped(step, measured);
            if (source.wish(step) != null) {
                plans.add(source.plan(Groups.of(1, 2), plans.size() + 1, step));
            }
        }
        return plans;
    }
}
