package dev.medley.fleet.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.share.SharePolicies;
import dev.medley.fleet.trace.GavelGenerator;
import dev.medley.fleet.trace.GavelRates;
import dev.medley.fleet.trace.GavelTrace;
import dev.medley.fleet.trace.TraceJob;
import dev.medley.fleet.view.MachineType;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gavel's own simulator on its small cluster, whose results its authors' program gave. */
@Tag("real")
class GavelProtocolTest {
    private static final List<String> TYPES = List.of("v100", "p100", "k80");

    private static List<MachineType> cluster(int each) {
        return TYPES.stream().map(type -> MachineType.of(type, each)).toList();
    }

    private static GavelRates rates() {
        return GavelRates.read(FleetData.of("sched/gavel/simulation_throughputs.json.gz"), TYPES);
    }

    @ParameterizedTest
    @CsvSource({
        "las, 61254.5, 2",
        "las_aware, 43715.0, 2",
        "allox, 43489.6, 1",
        "finish_time_fairness, 44404.3, 2",
    })
    void shouldGiveWhatGavelsSimulatorGives(String word, double meanS, double percent) {
        Path file = FleetData.of("sched/gavel/jobs_single_seed0.csv.gz");
        List<TraceJob> jobs = GavelTrace.read(file, rates(), 3000);
        Policy policy = Policies.named(word, SharePolicies.GAVEL_RESET_S);
        SimulationResult result =
                FleetSimulation.run(cluster(8), jobs, policy, SimulationOptions.gavel(20, 60));
        assertThat(result.meanCompletionS()).isCloseTo(meanS, withinPercentage(percent));
    }

    @Test
    void shouldDrawTheJobsThatGavelsGeneratorDraws() {
        List<TraceJob> drawn =
                new GavelGenerator(rates(), GavelGenerator.Sizes.SINGLE, 42).draw(9000, 1);
        List<TraceJob> multi =
                new GavelGenerator(rates(), GavelGenerator.Sizes.PHILLY, 1).draw(9000, 1);
        requireSame(drawn, "single_seed42");
        requireSame(multi, "multi_seed1");
    }

    private static void requireSame(List<TraceJob> drawn, String name) {
        Path file = FleetData.of("sched/gavel/jobs_" + name + ".csv.gz");
        List<TraceJob> expected = GavelTrace.read(file, rates(), 1);
        IntStream.range(0, expected.size())
                .forEach(
                        i -> {
                            TraceJob job = drawn.get(i);
                            assertThat(job.kind()).isEqualTo(expected.get(i).kind());
                            assertThat(job.workers()).isEqualTo(expected.get(i).workers());
                            assertThat(job.work()).isEqualTo(expected.get(i).work());
                            assertThat(job.arrivalS()).isEqualTo(expected.get(i).arrivalS());
                        });
    }
}
