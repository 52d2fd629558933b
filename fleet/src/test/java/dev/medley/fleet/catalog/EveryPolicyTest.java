package dev.medley.fleet.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of all policies, whatever jobs and machines there are. */
class EveryPolicyTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;
    private static final List<MachineType> TYPES =
            List.of(MachineType.of("a", 2), MachineType.of("b", 2), MachineType.of("gone", 0));

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    static Stream<Policy> policies() {
        return Policies.all(0).stream();
    }

    private static JobView job(long id, Demand demand, double work, double... rates) {
        return new JobView(
                id,
                "k",
                demand,
                rates,
                new int[rates.length],
                new JobProgress(0, 0, 0, work, 10),
                new Terms("ann", "", 0, 1, NEVER, NEVER));
    }

    private static List<Long> granted(Decision decision) {
        return decision.grants().stream().map(Grant::job).toList();
    }

    private static Decision second(Policy policy, List<JobView> jobs) {
        FleetView first = new FleetView(1000, 60, TYPES, jobs);
        Decision begun = policy.decide(first);
        return policy.decide(new FleetView(1060, 60, TYPES, jobs, first.ended(), begun.carried()));
    }

    @ParameterizedTest
    @MethodSource("policies")
    @Tag("unit")
    void shouldNotLetAJobThatFitsNowhereStopTheOthers(Policy policy) {
        for (JobView large :
                List.of(
                        job(1, Demand.gang(3), 100, 1, 1, 1),
                        job(1, Demand.gang(1), 100, 0, 0, 0),
                        job(1, Demand.gang(1), 100, 0, 0, 5))) {
            List<JobView> jobs =
                    List.of(
                            large,
                            job(2, Demand.gang(1), 100, 2, 1, 1),
                            job(3, Demand.gang(2), 50, 1, 2, 1));
            for (Policy asked : List.of(policy, Policies.inHub(policy))) {
                Decision decision = second(asked, jobs);
                assertThat(granted(decision)).as(policy.name()).containsExactlyInAnyOrder(2L, 3L);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldGiveNoMoreThanThereIsAndLeaveNotAllIdle(long seed) {
        RandomGenerator random = Seeds.generator(seed, 11);
        List<MachineType> types = new ArrayList<>();
        for (int type = 0; type < 1 + random.nextInt(3); type++) {
            types.add(MachineType.of("t" + type, random.nextInt(4)));
        }
        List<JobView> jobs = new ArrayList<>();
        boolean isAble = false;
        int count = random.nextInt(7);
        for (int id = 1; id <= count; id++) {
            int least = 1 + random.nextInt(3);
            double[] rates = new double[types.size()];
            for (int type = 0; type < rates.length; type++) {
                rates[type] =
                        random.nextInt(3) == 0 ? 0 : 1e-6 + 1e6 * Math.pow(random.nextDouble(), 9);
                isAble |= rates[type] > 0 && types.get(type).machines() >= least;
            }
            double work = random.nextInt(4) == 0 ? 0 : 1e4 * random.nextDouble();
            jobs.add(job(id, new Demand(least, least + random.nextInt(3)), work, rates));
        }
        for (Policy policy : Policies.all(0)) {
            FleetView view = new FleetView(1000, 60, types, jobs);
            for (int round = 0; round < 3; round++) {
                Decision decision = Policies.inHub(policy).decide(view);
                int[] free = types.stream().mapToInt(MachineType::machines).toArray();
                for (Grant grant : decision.grants()) {
                    int all = 0;
                    for (int type = 0; type < free.length; type++) {
                        free[type] -= grant.machines()[type];
                        all += grant.machines()[type];
                        assertThat(free[type]).as(policy.name()).isNotNegative();
                    }
                    Demand demand = jobs.get((int) grant.job() - 1).demand();
                    assertThat(all)
                            .as(policy.name())
                            .isBetween(demand.minWorkers(), demand.maxWorkers());
                }
                if (isAble && round > 0) {
                    assertThat(decision.grants())
                            .as("%s of %s on %s", policy.name(), jobs, types)
                            .isNotEmpty();
                }
                view =
                        new FleetView(
                                1000 + 60 * (round + 1),
                                60,
                                types,
                                jobs,
                                view.ended(),
                                decision.carried());
            }
        }
    }
}
