package dev.medley.profile.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StepTimeFitTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldFindTheLineWhenSharesDiffer(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double alpha = random.nextDouble(1e7);
        double beta = 1e4 + random.nextDouble(1e6);
        StepTimeFit fit = StepTimeFit.unknown(0);
        for (int i = 0; i < 60; i++) {
            int share = 20 + random.nextInt(200);
            double noise = 1 + 0.02 * (random.nextDouble() - 0.5);
            fit = fit.after(share, (alpha + beta * share) * noise);
        }
        double expected = alpha + beta * 100;
        assertThat(fit.line().predictNs(100)).isCloseTo(expected, within(0.02 * expected));
        assertThat(fit.line().betaNs()).isCloseTo(beta, within(0.15 * expected / 100));
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldNeverPredictNonsense(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        StepTimeFit fit = StepTimeFit.unknown(random.nextBoolean() ? 0 : random.nextDouble(1e8));
        int share = 1 + random.nextInt(100);
        for (int i = 0; i < 500; i++) {
            share = random.nextInt(10) == 0 ? random.nextInt(100) : share;
            fit = fit.after(share, Math.exp(random.nextDouble(20)));
            if (fit.isKnown()) {
                StepTime line = fit.line();
                assertThat(line.alphaNs()).isFinite().isGreaterThanOrEqualTo(0);
                assertThat(line.betaNs()).isFinite().isGreaterThanOrEqualTo(0);
                assertThat(line.predictNs(50)).isPositive();
            }
        }
    }

    @Test
    @Tag("unit")
    void shouldNotWindUpUnderAConstantShare() {
        StepTimeFit fit = StepTimeFit.unknown(0);
        for (int i = 0; i < 100_000; i++) {
            fit = fit.after(64, 64e6);
        }
        assertThat(fit.line().betaNs()).isCloseTo(1e6, within(1e3));
        fit = fit.after(128, 20e6 + 64e6).after(128, 84e6).after(128, 84e6).after(128, 84e6);
        assertThat(fit.line().predictNs(128)).isCloseTo(84e6, within(6e6));
    }

    @Test
    @Tag("unit")
    void oneSlowObservationShouldNotShakeIt() {
        StepTimeFit fit = steady(20);
        double before = fit.line().predictNs(64);
        double after = fit.after(64, 50 * before).line().predictNs(64);
        assertThat(after).isCloseTo(before, within(0.03 * before));
    }

    @Test
    @Tag("unit")
    void aMachineThatGotSlowerShouldBeKnownAfterTwoOneThatGotFasterAfterThree() {
        StepTimeFit slow = steady(50).after(64, 128e6).after(64, 128e6);
        assertThat(slow.line().predictNs(64)).isCloseTo(128e6, within(2e6));
        StepTimeFit fast = steady(50);
        for (int i = 0; i < 3; i++) {
            fast = fast.after(64, 32e6);
        }
        assertThat(fast.line().predictNs(64)).isCloseTo(32e6, within(2e6));
    }

    /** A process under a quota that has spared some of it is not a faster machine. */
    @Test
    @Tag("unit")
    void aFastBurstShouldNotShakeIt() {
        StepTimeFit burst = steady(50).after(64, 16e6).after(64, 16e6);
        assertThat(burst.line().predictNs(64)).isGreaterThan(0.8 * 64e6);
    }

    @Test
    @Tag("unit")
    void shouldSayHowSureItIs() {
        assertThat(StepTimeFit.unknown(0).errorNs()).isInfinite();
        assertThat(steady(30).errorNs()).isLessThan(0.01 * 64e6);
        StepTimeFit noisy = StepTimeFit.unknown(0);
        for (int i = 0; i < 40; i++) {
            noisy = noisy.after(64, i % 2 == 0 ? 60e6 : 68e6);
        }
        assertThat(noisy.errorNs()).isBetween(1e6, 3e6);
        assertThat(noisy.isSettled()).isTrue();
        assertThat(StepTimeFit.unknown(0).after(64, 1e6).isSettled()).isFalse();
    }

    @Test
    @Tag("unit")
    void oneThatScattersShouldBePlannedToBeLate() {
        StepTimeFit scattering = StepTimeFit.unknown(0);
        for (int i = 0; i < 200; i++) {
            scattering = scattering.after(64, i % 2 == 0 ? 51.2e6 : 76.8e6);
        }
        List<StepTime> planned = StepTimeFit.lines(List.of(steady(200), scattering));
        assertThat(planned.get(0).predictNs(64)).isCloseTo(64e6, within(1e5));
        assertThat(planned.get(1).predictNs(64))
                .as("later by one and a half times what it is off, a fifth or a little more")
                .isBetween(1.25 * 64e6, 1.45 * 64e6);
        assertThat(scattering.line().predictNs(64)).isCloseTo(64e6, within(1e6));
    }

    /** Nothing but its scatter says that a machine is another one. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void oneThatScattersByNatureShouldNotBeTakenForAnotherMachine(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        SpeedTracker tracker = SpeedTracker.unknown();
        double last = 0;
        int jumps = 0;
        for (int i = 0; i < 600; i++) {
            double now = tracker.fit().isKnown() ? tracker.fit().line().predictNs(26) : 0;
            jumps += i > 100 && Math.abs(now - last) > 0.25 * last ? 1 : 0;
            last = now;
            tracker = tracker.after(26, Math.max(40e6, 82e6 + 19e6 * random.nextGaussian()));
        }
        assertThat(jumps).as("one false alarm and its end at most").isLessThanOrEqualTo(2);
        assertThat(last).isCloseTo(82e6, within(12e6));
    }

    @Test
    @Tag("unit")
    void aFirstObservationShouldNotStandAgainstTheSecond() {
        StepTimeFit fit = StepTimeFit.unknown(0).after(64, 300e6).after(64, 100e6);
        assertThat(fit.line().predictNs(64)).isCloseTo(100e6, within(1e6));
    }

    @Test
    @Tag("unit")
    void ofRoundsEachShouldBeBelievedAndTwoThatAgreeBeEnough() {
        StepTimeFit fit =
                StepTimeFit.unknown(TrackingOptions.ROUNDS, 0).after(64, 64e6).after(64, 64e6);
        assertThat(fit.isSettled()).isTrue();
        StepTimeFit slow = fit.after(64, 90e6);
        assertThat(slow.line().predictNs(64)).isCloseTo(90e6, within(1e6));
        assertThat(slow.isSettled()).as("after one").isFalse();
        StepTimeFit sure = slow.after(64, 92e6);
        assertThat(sure.isSettled()).as("after two").isTrue();
        assertThat(sure.errorNs()).isLessThan(5e6);
        StepTimeFit shorter = sure.after(32, 32e6);
        assertThat(shorter.line().predictNs(64))
                .as("also one of another share")
                .isCloseTo(64e6, within(1e6));
    }

    @Test
    @Tag("unit")
    void aStepWithoutSamplesShouldTeachNothing() {
        StepTimeFit fit = steady(5);
        assertThat(fit.after(0, 1e9)).isEqualTo(fit);
    }

    private static StepTimeFit steady(int steps) {
        StepTimeFit fit = StepTimeFit.unknown(0);
        for (int i = 0; i < steps; i++) {
            fit = fit.after(64, 64e6);
        }
        return fit;
    }

    @Test
    @Tag("unit")
    void shouldNotEvenSeeASlowStepAmongThree() {
        SpeedTracker calm = SpeedTracker.unknown();
        SpeedTracker shaken = calm;
        for (int i = 0; i < 30; i++) {
            calm = calm.after(64, 64e6);
            shaken = shaken.after(64, i % 3 == 1 ? 6400e6 : 64e6);
        }
        assertThat(shaken.fit()).isEqualTo(calm.fit());
        assertThat(shaken.after(32, 1e6).after(64, 64e6).timesNs())
                .as("steps of another share are not mixed")
                .containsExactly(64e6);
    }
}
