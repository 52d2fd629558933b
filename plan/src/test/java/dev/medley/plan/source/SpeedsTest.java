package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.WorkerId;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.TrackingOptions;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is taken from single observations of rounds, each of which counts by itself. */
@Tag("unit")
class SpeedsTest {
    private static final WorkerId FAST = new WorkerId(1);
    private static final WorkerId SLOW = new WorkerId(2);
    private static final List<WorkerId> BOTH = List.of(FAST, SLOW);
    private static final Offset<Double> ROUNDING = within(1e-3);

    /** What a single observation is planned to be late by. */
    private static final double LATE = 1.075;

    private final Speeds speeds = new Speeds(TrackingOptions.ROUNDS);

    @Test
    void anObservationShouldHaveAsManyStepsAsIsFollowed() {
        assertThat(new Speeds().window()).isEqualTo(3);
        assertThat(speeds.window()).isEqualTo(1);
    }

    @Test
    void theFirstRoundsShouldTeachNothingWhereSpeedsWereTried() {
        tried(FAST, 100, 1e8);
        for (int round = 0; round < 3; round++) {
            speeds.stepped(Map.of(FAST, of(100, 3e8, 0, 0)));
            assertThat(betaNs(FAST)).isCloseTo(1e6, ROUNDING);
        }
        speeds.stepped(Map.of(FAST, of(100, 3e8, 0, 0)));
        assertThat(betaNs(FAST)).isCloseTo(3e6, ROUNDING);
    }

    /** Of five seconds, with what it exchanged and waited: the third begins after ten. */
    @Test
    void longRoundsShouldTeachFromTheFirstThatBeginsWarm() {
        tried(FAST, 100, 1e8);
        for (int round = 0; round < 2; round++) {
            speeds.stepped(Map.of(FAST, of(100, 4e9, 6e8, 4e8)));
            assertThat(betaNs(FAST)).isCloseTo(1e6, ROUNDING);
        }
        speeds.stepped(Map.of(FAST, of(100, 4e9, 6e8, 4e8)));
        assertThat(betaNs(FAST)).isCloseTo(4e7, ROUNDING);
    }

    @Test
    void theFirstRoundsShouldTeachWhereSomebodyHasTriedNothing() {
        tried(FAST, 100, 1e8);
        speeds.stepped(Map.of(FAST, of(100, 3e8, 0, 0), SLOW, of(100, 6e8, 0, 0)));
        assertThat(betaNs(FAST)).isCloseTo(3e6, ROUNDING);
        assertThat(betaNs(SLOW)).isCloseTo(6e6, ROUNDING);
    }

    /** One that is not warm holds up all. */
    @Test
    void aNewcomersFirstRoundsShouldTeachNothingOfAnybody() {
        tried(FAST, 100, 1e8);
        for (int round = 0; round < 3; round++) {
            speeds.stepped(Map.of(FAST, of(100, 1e8, 0, 0)));
        }
        tried(SLOW, 100, 1e8);
        speeds.stepped(Map.of(FAST, of(100, 3e8, 0, 0), SLOW, of(100, 3e8, 0, 0)));
        assertThat(betaNs(FAST)).isCloseTo(1e6, ROUNDING);
        assertThat(betaNs(SLOW)).isCloseTo(1e6, ROUNDING);
    }

    @Test
    void whatEvenTheLastWaitsShouldBeAMean() {
        speeds.stepped(Map.of(FAST, of(100, 1e8, 0, 300), SLOW, of(100, 2e8, 0, 100)));
        assertThat(speeds.idleNs()).isEqualTo(100);
        for (int warm = 0; warm < 2; warm++) {
            speeds.stepped(Map.of(FAST, of(100, 1e8, 0, 900), SLOW, of(100, 2e8, 0, 900)));
        }
        speeds.stepped(Map.of(FAST, of(100, 1e8, 0, 200), SLOW, of(100, 2e8, 0, 500)));
        assertThat(speeds.idleNs()).isCloseTo(0.6 * 100 + 0.4 * 200, ROUNDING);
    }

    @Test
    void aStepShouldTakeWhatItsLastWorkerTakesWithItsExchangeAndTheWaitOfAll() {
        speeds.stepped(Map.of(FAST, of(100, 1e8, 70, 300), SLOW, of(100, 2e8, 50, 100)));
        assertThat(speeds.times(BOTH).get(0).alphaNs()).isCloseTo(70, ROUNDING);
        assertThat(speeds.times(BOTH).get(0).betaNs()).isCloseTo(LATE * 1e6, ROUNDING);
        assertThat(speeds.stepNs(BOTH, List.of(100, 40)))
                .isCloseTo(100 + 70 + LATE * 1e8, ROUNDING);
        assertThat(speeds.stepNs(BOTH, List.of(100, 60)))
                .isCloseTo(100 + 50 + LATE * 1.2e8, ROUNDING);
    }

    /**
     * A first observation may be off by a twentieth; the level moves by each worker's part of the
     * speed, here two thirds and one.
     */
    @Test
    void theErrorShouldBeThatOfTheLastAndOfTheLevel() {
        tried(FAST, 100, 1e8);
        tried(SLOW, 100, 2e8);
        double level = Math.hypot(5e6 * 2 / 3, 1e7 / 3);
        assertThat(speeds.errorNs(BOTH, List.of(100, 40)))
                .isCloseTo(Math.hypot(5e6, level), ROUNDING);
        assertThat(speeds.errorNs(BOTH, List.of(100, 50)))
                .as("both are last")
                .isCloseTo(Math.hypot(5e6, level), ROUNDING);
        assertThat(speeds.errorNs(BOTH, List.of(100, 60)))
                .isCloseTo(Math.hypot(1e7, level), ROUNDING);
    }

    /** Whatever shares they tried, as long as they have taken no step. */
    @Test
    void whoTriedNearlyTheSameShouldBePlannedWithTheMean() {
        tried(FAST, 16, 16e6);
        tried(SLOW, 64, 1.1 * 64e6);
        double mean = LATE * 1.05e6;
        assertThat(speeds.times(BOTH)).extracting(StepTime::betaNs).allMatch(isNear(mean));
        speeds.stepped(Map.of(FAST, of(16, 16e6, 0, 0), SLOW, of(64, 1.1 * 64e6, 0, 0)));
        assertThat(speeds.times(BOTH).get(0).betaNs()).isLessThan(mean - 1);
    }

    private static Predicate<Double> isNear(double expected) {
        return actual -> Math.abs(actual - expected) < 1;
    }

    private double betaNs(WorkerId worker) {
        return speeds.fit(worker).line().betaNs();
    }

    private void tried(WorkerId worker, int share, double ns) {
        speeds.joins(worker, List.of(Measured.alone(share, (long) ns)));
    }

    private static Measured of(int share, double computeNs, double exchangeNs, double waitingNs) {
        return new Measured(share, (long) computeNs, (long) exchangeNs, (long) waitingNs, 0);
    }
}
