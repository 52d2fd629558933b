package dev.medley.fleet.policy.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.simulation.GrantCheck;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("unit")
class FilledPolicyTest {
    private static JobView job(long id, Demand demand, double remaining, double restartS) {
        return new JobView(
                id,
                "kind",
                demand,
                new double[] {10 * demand.minWorkers(), 4 * demand.minWorkers()},
                new int[2],
                new JobProgress(0, 0, 0, remaining, restartS),
                Terms.NONE);
    }

    private static FleetView view(int fast, int slow, JobView... jobs) {
        return new FleetView(
                0,
                60,
                List.of(MachineType.of("fast", fast), MachineType.of("slow", slow)),
                Arrays.asList(jobs));
    }

    private static Decision decide(FleetView view) {
        Decision decision = new FilledPolicy(Policies.named("index")).decide(view);
        GrantCheck.require("filled", view.types(), view.jobs(), decision.grants());
        return decision;
    }

    @Test
    void shouldDealIdleMachinesOfAllTypesToAJobThatCanUseThem() {
        Grant grant = decide(view(2, 3, job(1, new Demand(1, 16), 1e6, 5))).grants().get(0);
        assertThat(grant.machines()).containsExactly(2, 3);
        assertThat(grant.why()).contains("1 of fast and 3 of slow would be idle");
    }

    @Test
    void shouldKeepBoundsAndGangs() {
        Decision decision =
                decide(
                        view(
                                4,
                                4,
                                job(1, new Demand(1, 2), 1e6, 5),
                                job(2, Demand.gang(2), 1e6, 5)));
        assertThat(decision.grants())
                .extracting(grant -> Arrays.stream(grant.machines()).sum())
                .containsExactly(2, 2);
    }

    @Test
    void shouldNotAddAMachineThatSavesLessThanItsRestartsCost() {
        Grant grant = decide(view(3, 0, job(1, new Demand(1, 16), 100, 5))).grants().get(0);
        assertThat(grant.machines()).containsExactly(1, 0);
    }

    @Test
    void shouldGiveMoreToWhomItSavesMore() {
        Decision decision =
                decide(
                        view(
                                4,
                                0,
                                job(1, new Demand(1, 16), 2000, 1),
                                job(2, new Demand(1, 16), 1e6, 1)));
        assertThat(decision.grants())
                .extracting(grant -> grant.machines()[0])
                .containsExactly(1, 3);
    }

    /** The other one would be saved more by each, and gets what the first cannot use. */
    @Test
    void idleMachinesShouldGoToTheHighestPriorityThatCanUseThem() {
        Decision decision =
                decide(
                        view(
                                6,
                                0,
                                ofPriority(4, job(1, new Demand(1, 3), 5000, 1)),
                                job(2, new Demand(1, 16), 1e6, 1)));
        assertThat(decision.grants())
                .extracting(grant -> grant.machines()[0])
                .containsExactly(3, 3);
    }

    private static JobView ofPriority(int priority, JobView job) {
        double never = Double.POSITIVE_INFINITY;
        return job.with(new Terms("", "", priority, 1, never, never));
    }

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldGiveWhatThereIsToThoseThatCanUseIt(long seed) {
        RandomGenerator random = Seeds.generator(seed, 5);
        for (int round = 0; round < 30; round++) {
            List<JobView> jobs = new ArrayList<>();
            int count = random.nextInt(6);
            for (int id = 0; id < count; id++) {
                int min = 1 + random.nextInt(3);
                boolean isSized = random.nextBoolean();
                jobs.add(
                        job(
                                id,
                                new Demand(min, min + random.nextInt(4)),
                                isSized ? 1e5 * random.nextDouble() : Double.NaN,
                                random.nextInt(20)));
            }
            decide(view(random.nextInt(6), random.nextInt(6), jobs.toArray(new JobView[0])));
        }
    }
}
