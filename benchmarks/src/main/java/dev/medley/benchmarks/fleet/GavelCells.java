package dev.medley.benchmarks.fleet;

import dev.medley.base.time.Clock;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.simulation.FleetSimulation;
import dev.medley.fleet.simulation.SimulationOptions;
import dev.medley.fleet.simulation.SimulationResult;
import dev.medley.fleet.simulation.SizeKnowledge;
import dev.medley.fleet.trace.GavelGenerator;
import dev.medley.fleet.trace.GavelRates;
import dev.medley.fleet.view.MachineType;
import java.nio.file.Path;
import java.util.List;

/** Plays policies on Gavel's continuous workload, one line of CSV for each. */
final class GavelCells {
    static final String HEADER =
            "study,league,restart_s,jobs_per_hour,seed,policy,alpha,beta,stay,mean_h,p50_h,p99_h,max_h,"
                + "ideal_h,utilization,moves,wall_s";

    private static final List<String> TYPES = List.of("v100", "p100", "k80");
    private static final int JOBS = 9000;
    private static final Clock CLOCK = Clock.system();

    private final GavelRates rates;
    private final int[] machines;

    GavelCells(Path data, int... machines) {
        rates = GavelRates.read(data.resolve("simulation_throughputs.json.gz"), TYPES);
        this.machines = machines;
    }

    /** What is known of sizes. */
    enum League {
        DECLARED(SizeKnowledge.DECLARED),
        NOISY(new SizeKnowledge(true, 0.5, 17)),
        UNDECLARED(SizeKnowledge.NONE);

        private final SizeKnowledge sizes;

        League(SizeKnowledge sizes) {
            this.sizes = sizes;
        }
    }

    SimulationResult play(
            Policy policy, League league, double restartS, double perHour, long seed) {
        List<MachineType> types =
                List.of(
                        MachineType.of(TYPES.get(0), machines[0]),
                        MachineType.of(TYPES.get(1), machines[1]),
                        MachineType.of(TYPES.get(2), machines[2]));
        return FleetSimulation.run(
                types,
                new GavelGenerator(rates, GavelGenerator.Sizes.SINGLE, seed)
                        .draw(JOBS, 3600 / perHour),
                policy,
                SimulationOptions.gavel(4000, 5000).withRestart(restartS).withSizes(league.sizes));
    }

    /** Plays and prints. */
    void print(
            String study,
            Policy policy,
            String knobs,
            League league,
            double restartS,
            double perHour,
            long seed) {
        long begin = CLOCK.nowNs();
        SimulationResult result = play(policy, league, restartS, perHour, seed);
        System.out.printf(
                java.util.Locale.ROOT,
                "%s,%s,%.0f,%.1f,%d,%s,%s,%.4f,%.4f,%.3f,%.2f,%.4f,%.4f,%d,%.1f%n",
                study,
                league,
                restartS,
                perHour,
                seed,
                policy.name(),
                knobs,
                result.meanCompletionS() / 3600,
                result.completionS(0.5) / 3600,
                result.completionS(0.99) / 3600,
                result.completionS(1) / 3600,
                result.idealS() / 3600,
                result.utilization(),
                result.moves(),
                (CLOCK.nowNs() - begin) / 1e9);
    }
}
