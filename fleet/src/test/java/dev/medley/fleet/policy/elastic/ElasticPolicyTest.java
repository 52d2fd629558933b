package dev.medley.fleet.policy.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
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
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("unit")
class ElasticPolicyTest {
    private static final double RESTART_S = 20;

    private static JobView job(
            long id, Demand demand, double fast, double slow, double work, int... held) {
        return new JobView(
                id,
                "kind",
                demand,
                new double[] {fast, slow},
                held.length == 0 ? new int[2] : held,
                new JobProgress(0, 0, 0, work, RESTART_S),
                Terms.NONE);
    }

    private static Map<Long, int[]> decide(int fast, int slow, JobView... jobs) {
        Decision decision = decision(fast, slow, jobs);
        return decision.grants().stream().collect(Collectors.toMap(Grant::job, Grant::machines));
    }

    private static Decision decision(int fast, int slow, JobView... jobs) {
        FleetView view =
                new FleetView(
                        0,
                        60,
                        List.of(MachineType.of("fast", fast), MachineType.of("slow", slow)),
                        Arrays.asList(jobs));
        Decision decision = new ElasticPolicy(ElasticOptions.DEFAULTS).decide(view);
        GrantCheck.require("elastic", view.types(), view.jobs(), decision.grants());
        assertThat(decision.grants().size() + decision.waiting().size()).isEqualTo(jobs.length);
        return decision;
    }

    @Test
    void shouldGiveAllUnlikeMachinesToTheOnlyJob() {
        assertThat(decide(2, 3, job(1, new Demand(1, 16), 10, 4, 1e6)).get(1L))
                .containsExactly(2, 3);
    }

    @Test
    void shouldNotGiveAMachineThatSlowsAJobDown() {
        assertThat(decide(2, 3, job(1, new Demand(1, 16), 10, 0.1, 1e6)).get(1L))
                .containsExactly(2, 0);
    }

    @Test
    void shouldUseEveryMachineForFewerJobsThanMachines() {
        Map<Long, int[]> given =
                decide(
                        3,
                        3,
                        job(1, new Demand(1, 8), 10, 4, 1e6),
                        job(2, new Demand(1, 8), 5, 5, 2e6));
        assertThat(given.values().stream().mapToInt(m -> m[0] + m[1]).sum()).isEqualTo(6);
        assertThat(given.get(1L)[0]).isEqualTo(3);
    }

    @Test
    void shouldKeepBoundsAndGangs() {
        Map<Long, int[]> given =
                decide(
                        4,
                        4,
                        job(1, new Demand(1, 2), 10, 4, 1e6),
                        job(2, Demand.gang(3), 10, 4, 1e6));
        assertThat(given.get(1L)[0] + given.get(1L)[1]).isEqualTo(2);
        assertThat(given.get(2L)).isIn(new int[] {3, 0}, new int[] {0, 3});
    }

    @Test
    void shouldNotAddAMachineThatSavesLessThanARestart() {
        Decision decision = decision(3, 0, job(1, new Demand(1, 16), 10, 4, 350, 1, 0));
        assertThat(decision.grants().get(0).machines()).containsExactly(1, 0);
        assertThat(decision.grants().get(0).why())
                .contains("one more would save 17 s and cost a restart of 20 s");
    }

    @Test
    void shouldNotMoveForLessThanARestart() {
        assertThat(decide(1, 1, job(1, Demand.gang(1), 10, 9, 1500, 0, 1)).get(1L))
                .containsExactly(0, 1);
        assertThat(decide(1, 1, job(1, Demand.gang(1), 10, 4, 1500, 0, 1)).get(1L))
                .containsExactly(1, 0);
    }

    @Test
    void shouldLetShortJobsGoFirstWhereMachinesAreFew() {
        Decision decision =
                decision(
                        1,
                        0,
                        job(1, Demand.gang(1), 10, 4, 1e6),
                        job(2, Demand.gang(1), 10, 4, 1e4));
        assertThat(decision.grants().get(0).job()).isEqualTo(2);
        assertThat(decision.waiting().get(1L))
                .isEqualTo(
                        "machines do more with the jobs that run; about 27.8 h left on its best"
                                + " machines");
    }

    @Test
    void shouldSwapTypesForComparativeAdvantage() {
        Map<Long, int[]> given =
                decide(
                        1,
                        1,
                        job(1, Demand.gang(1), 10, 9, 1e5),
                        job(2, Demand.gang(1), 9.5, 1, 1e5));
        assertThat(given.get(1L)).containsExactly(0, 1);
        assertThat(given.get(2L)).containsExactly(1, 0);
    }

    @Test
    void shouldSayThatAGangIsTooLarge() {
        assertThat(decision(1, 2, job(1, Demand.gang(3), 10, 4, 1e6)).waiting().get(1L))
                .isEqualTo("it needs 3 machines of one type, and there are 2 at most");
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    /**
     * In each view: bounds, no machine that is not worth its restart, and no change without need.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldKeepItsPromisesForAnyFleet(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int fast = random.nextInt(6);
        int slow = random.nextInt(6);
        List<JobView> jobs = new ArrayList<>();
        for (int id = random.nextInt(8); id >= 0; id--) {
            int least = 1 + random.nextInt(3);
            Demand demand = new Demand(least, least + random.nextInt(4));
            double work = random.nextInt(10) == 0 ? Double.NaN : random.nextDouble(1e4);
            jobs.add(job(id, demand, random.nextInt(3) * 5.0, random.nextInt(3) * 2.0, work));
        }
        Decision first = decision(fast, slow, jobs.toArray(JobView[]::new));
        Map<Long, int[]> given =
                first.grants().stream().collect(Collectors.toMap(Grant::job, Grant::machines));
        List<JobView> running = new ArrayList<>();
        for (JobView job : jobs) {
            int[] machines = given.getOrDefault(job.id(), new int[2]);
            assertWorthItsRestart(job, machines);
            running.add(
                    new JobView(
                            job.id(),
                            job.kind(),
                            job.demand(),
                            job.rates(),
                            machines,
                            job.progress(),
                            job.terms()));
        }
        assertMovesPay(fast, slow, running);
    }

    /** Who moves though its machines are left idle saves more than a restart. */
    private static void assertMovesPay(int fast, int slow, List<JobView> running) {
        Map<Long, int[]> given = decide(fast, slow, running.toArray(JobView[]::new));
        int[] free = {fast, slow};
        given.values()
                .forEach(
                        of -> {
                            free[0] -= of[0];
                            free[1] -= of[1];
                        });
        for (JobView job : running) {
            int[] now = given.getOrDefault(job.id(), new int[2]);
            int[] held = job.held();
            boolean couldStay = held[0] - now[0] <= free[0] && held[1] - now[1] <= free[1];
            if (job.runs() && couldStay && !Arrays.equals(now, held)) {
                MachineShare share = new MachineShare(job, ElasticOptions.DEFAULTS);
                share.give(held);
                assertThat(share.savedS(now)).isGreaterThan(RESTART_S);
            }
        }
    }

    /** Without the machine of the least rate it would need longer, by more than a restart. */
    private static void assertWorthItsRestart(JobView job, int[] machines) {
        if (machines[0] + machines[1] <= job.demand().minWorkers() || !job.progress().sized()) {
            return;
        }
        MachineShare share = new MachineShare(job, ElasticOptions.DEFAULTS);
        for (int type = 0; type < 2; type++) {
            if (machines[type] > 0) {
                int[] fewer = machines.clone();
                fewer[type]--;
                share.give(fewer);
                assertThat(share.savedS(machines)).isGreaterThan(RESTART_S);
            }
        }
    }
}
