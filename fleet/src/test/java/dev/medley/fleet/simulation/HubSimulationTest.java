package dev.medley.fleet.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.medley.base.Seeds;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.share.SharePolicies;
import dev.medley.fleet.trace.GavelRates;
import dev.medley.fleet.trace.GavelTrace;
import dev.medley.fleet.trace.TraceJob;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The product's hub on virtual time, beside the bare simulation of rounds. */
class HubSimulationTest {
    private static final List<String> GAVEL = List.of("v100", "p100", "k80");

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    private static SimulationOptions options(double restartS, int jobs) {
        return new SimulationOptions(60, restartS, false, 0, jobs, SizeKnowledge.DECLARED);
    }

    @Test
    @Tag("unit")
    void shouldRunOneJobAfterTheOther() {
        List<MachineType> one = List.of(new MachineType("a", 1, 3.6));
        List<TraceJob> trace =
                List.of(
                        new TraceJob(0, "k", 1, 10, 200, new double[] {2}),
                        new TraceJob(1, "k", 1, 20, 100, new double[] {1}));
        Policy fifo = Policies.inHub(Policies.named("fifo"));
        SimulationResult result = HubSimulation.run(one, trace, fifo, options(0, 2));
        assertThat(result.jobs()).extracting(SimulatedJob::startS).containsExactly(10.0, 110.0);
        assertThat(result.jobs()).extracting(SimulatedJob::endS).containsExactly(110.0, 210.0);
        assertThat(result.jobs()).extracting(SimulatedJob::serviceS).containsExactly(100.0, 100.0);
        assertThat(result.cost()).isCloseTo(0.2, within(1e-9));
        assertThat(result.moves()).isZero();
        assertThat(result.endS()).as("no later than the last job's end").isEqualTo(210);
        assertThat(result.utilization()).isCloseTo(200.0 / 210, within(1e-9));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("simulation")
    void shouldHaveEachJobDoAllItsWorkAndGiveNoMachineTwice(long seed) {
        RandomGenerator random = Seeds.generator(seed, 31);
        List<MachineType> types =
                List.of(
                        MachineType.of("fast", 2 + random.nextInt(3)),
                        MachineType.of("slow", 2 + random.nextInt(3)));
        List<TraceJob> trace = new ArrayList<>();
        double arrivalS = 0;
        for (int id = 0; id < 40; id++) {
            arrivalS += random.nextInt(100);
            double slow = 0.5 + random.nextDouble();
            double[] rates = {slow * (1 + 3 * random.nextDouble()), slow};
            int workers = 1 + random.nextInt(2);
            trace.add(new TraceJob(id, "k" + id % 4, workers, arrivalS, 300, rates));
        }
        List<String> words = List.of("fifo_fastest", "index", "srpt", "las", "elastic");
        Policy policy = Policies.inHub(Policies.named(words.get((int) (seed % words.size()))));
        SizeKnowledge sizes = random.nextBoolean() ? SizeKnowledge.DECLARED : SizeKnowledge.NONE;
        SimulationOptions options = options(random.nextInt(20), 40).withSizes(sizes);
        SimulationResult result = HubSimulation.run(types, trace, policy, options);
        assertThat(result.jobs()).hasSize(40);
        for (SimulatedJob job : result.jobs()) {
            assertThat(job.startS()).isGreaterThanOrEqualTo(job.arrivalS());
            // No less time on machines than on the best ones, with each restart.
            double leastS = job.idealS() - 1e-6;
            assertThat(job.serviceS()).isGreaterThanOrEqualTo(leastS);
            assertThat(job.endS() - job.startS()).isGreaterThanOrEqualTo(job.serviceS() - 1e-6);
        }
        int machines = types.stream().mapToInt(MachineType::machines).sum();
        assertThat(result.queue()).allMatch(sample -> sample.busy() <= machines);
        double heldS = 0;
        for (SimulatedJob job : result.jobs()) {
            heldS += job.serviceS() * trace.get((int) job.id()).workers();
        }
        assertThat(Arrays.stream(result.busyS()).sum()).isCloseTo(heldS, within(1e-3));
        SimulationResult again = HubSimulation.run(types, trace, policy, options);
        assertThat(again.jobs()).isEqualTo(result.jobs());
    }

    /**
     * A hub decides on each arrival and end, so jobs wait for no round: they end a little earlier.
     */
    @ParameterizedTest
    @CsvSource({"fifo_fastest, 1", "index, 1", "srpt, 1", "allox, 3"})
    @Tag("real")
    void shouldAgreeWithTheSimulationOfRounds(String word, double percent) {
        GavelRates rates =
                GavelRates.read(FleetData.of("sched/gavel/simulation_throughputs.json.gz"), GAVEL);
        List<TraceJob> jobs =
                GavelTrace.read(FleetData.of("sched/gavel/jobs_single_seed0.csv.gz"), rates, 3000);
        List<MachineType> types = GAVEL.stream().map(type -> MachineType.of(type, 8)).toList();
        SimulationOptions options = SimulationOptions.gavel(20, 60);
        Policy policy = Policies.named(word, SharePolicies.GAVEL_RESET_S);
        double bareS = FleetSimulation.run(types, jobs, policy, options).meanCompletionS();
        double hubS =
                HubSimulation.run(types, jobs, Policies.inHub(policy), options).meanCompletionS();
        assertThat(hubS).isCloseTo(bareS, withinPercentage(percent));
    }
}
