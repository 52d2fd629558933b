package dev.medley.plan.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.simulator.Calibration.Compute;
import dev.medley.plan.simulator.Calibration.Exchange;
import dev.medley.plan.simulator.fabric.Clusters;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedLinks;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.speed.StepTime;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CalibrationTest {
    private static final Percentage NEARLY = Percentage.withPercentage(1);

    @Test
    void shouldFindTheLineOfAMachine() {
        StepTime time =
                Calibration.stepTime(List.of(new Compute(16, 115.3e6), new Compute(32, 167.4e6)));
        assertThat(time.alphaNs() / 1e6).isCloseTo(63.2, NEARLY);
        assertThat(time.betaNs() / 1e6).isCloseTo(3.256, NEARLY);
    }

    @Test
    void shouldReadARunsRecordByItsMedians() {
        List<StepRecord> steps = new ArrayList<>();
        for (int step = 1; step <= 9; step++) {
            int share = step < 5 ? 10 : 30;
            long pauseNs = step == 3 ? 900_000_000 : 0;
            steps.add(step(step, share, 1_000_000 + 200_000L * share + pauseNs));
        }
        assertThat(Calibration.computes(steps)).containsOnlyKeys(7);
        StepTime time = Calibration.stepTime(Calibration.computes(steps).get(7));
        assertThat(time.alphaNs()).isCloseTo(1e6, NEARLY);
        assertThat(time.betaNs()).isCloseTo(2e5, NEARLY);
    }

    @Test
    void shouldFindHowFarTimesScatter() {
        List<StepRecord> steps = new ArrayList<>();
        for (int step = 1; step <= 1000; step++) {
            steps.add(step(step, 10, 1_000_000 + (step % 2 == 0 ? 100_000 : -100_000)));
        }
        assertThat(Calibration.variation(steps, 7, 1)).isCloseTo(0.1, NEARLY);
        assertThat(Calibration.variation(steps, 7, 16)).as("of a batch").isCloseTo(0.4, NEARLY);
        assertThat(Calibration.variation(steps, 8, 1)).as("nothing is known").isZero();
    }

    /** Of the worker's time a tenth is no computing; the rest of the step is not its own. */
    private static StepRecord step(int step, int share, long ownNs) {
        long computeNs = ownNs - ownNs / 10;
        WorkerTimes times = new WorkerTimes(7, share, computeNs, 3_000_000, 5_000_000, 0, 0, 0);
        long stepNs = ownNs + 8_000_000;
        return new StepRecord(step, 0, 1, 1, 0.5, 0.1, null, share, 0, stepNs, List.of(times));
    }

    @Test
    void shouldTakeAlphaForNothingWhereAllSharesAreAlike() {
        StepTime time = Calibration.stepTime(List.of(new Compute(100, 5e7), new Compute(100, 7e7)));
        assertThat(time).isEqualTo(new StepTime(0, 6e5));
    }

    @Test
    void shouldFindTheLinkOfSimulatedExchangesAgain() {
        SimulatedCluster cluster =
                new SimulatedCluster(
                        List.of(Clusters.kind("a", "x", 1, 1e-6), Clusters.kind("b", "y", 1, 1e-6)),
                        SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
        List<Exchange> measured = new ArrayList<>();
        for (long bytes = 4_000_000; bytes <= 64_000_000; bytes *= 2) {
            SimulatedRun run =
                    Simulator.run(cluster, Clusters.ofBytes(bytes), StrategySpec.defaults(), 2, 1);
            measured.add(new Exchange(bytes, run.stepNs()));
        }
        LinkPath way = Calibration.way(measured);
        assertThat(way.bytesPerSecond()).isCloseTo(12.5e6, Percentage.withPercentage(3));
        // Latency, and what it takes until windows have grown.
        assertThat(way.latencyNs() / 1e6).isBetween(20.0, 60.0);
    }

    @Test
    void shouldRefuseExchangesFromWhichNoBandwidthFollows() {
        assertThatThrownBy(
                        () ->
                                Calibration.way(
                                        List.of(new Exchange(1000, 5e6), new Exchange(2000, 0))))
                .hasMessageContaining("no bandwidth");
    }
}
