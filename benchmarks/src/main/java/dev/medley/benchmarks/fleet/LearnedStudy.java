package dev.medley.benchmarks.fleet;

import dev.medley.fleet.catalog.LearnedPolicies;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.index.IndexOptions;
import dev.medley.fleet.policy.index.IndexPolicy;
import dev.medley.fleet.policy.share.SharePolicies;
import dev.medley.fleet.simulation.FleetSimulation;
import dev.medley.fleet.simulation.SimulationOptions;
import dev.medley.fleet.simulation.SimulationResult;
import dev.medley.fleet.simulation.SizeKnowledge;
import dev.medley.fleet.trace.GavelGenerator;
import dev.medley.fleet.trace.GavelRates;
import dev.medley.fleet.trace.SwingingArrivals;
import dev.medley.fleet.trace.TraceJob;
import dev.medley.fleet.view.MachineType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures learned exponents beside the best fixed ones where training was not: other loads,
 * another fleet, swinging arrivals. Seeds 0 to 9, the same arrivals for all.
 *
 * <p>{@code LearnedStudy DATA DQN.json TABLE.json} prints CSV.
 */
public final class LearnedStudy {
    private static final List<String> TYPES = List.of("v100", "p100", "k80");
    private static final int JOBS = 3000;
    private static final int SEEDS = 10;

    private record Setting(String name, int[] machines, double perHour, double swing) {}

    private static final List<Setting> SETTINGS =
            List.of(
                    new Setting("load 5.0", new int[] {36, 36, 36}, 5.0, 0),
                    new Setting("load 5.8", new int[] {36, 36, 36}, 5.8, 0),
                    new Setting("72:36:12 at 8", new int[] {72, 36, 12}, 8, 0),
                    new Setting("72:36:12 at 9", new int[] {72, 36, 12}, 9, 0),
                    new Setting("swing 0.5", new int[] {36, 36, 36}, 5.2, 0.5),
                    new Setting("swing 0.9", new int[] {36, 36, 36}, 5.2, 0.9));

    private LearnedStudy() {}

    /** Prints CSV. */
    public static void main(String[] arguments) {
        GavelRates rates =
                GavelRates.read(
                        Path.of(arguments[0]).resolve("simulation_throughputs.json.gz"), TYPES);
        System.out.println("setting,sizes,seed,policy,mean_h,p99_h,utilization,moves");
        for (Setting setting : SETTINGS) {
            for (boolean isDeclared : new boolean[] {true, false}) {
                for (int seed = 0; seed < SEEDS; seed++) {
                    play(rates, setting, isDeclared, seed, policies(arguments));
                }
            }
        }
    }

    private record Named(String name, Policy policy) {}

    private static List<Named> policies(String[] arguments) {
        return List.of(
                new Named("fixed", new IndexPolicy("index", new IndexOptions(1, 0.03, 0))),
                new Named("dqn", LearnedPolicies.read(Path.of(arguments[1]))),
                new Named("table", LearnedPolicies.read(Path.of(arguments[2]))),
                new Named("allox", Policies.named("allox", SharePolicies.GAVEL_RESET_S)));
    }

    private static void play(
            GavelRates rates, Setting setting, boolean isDeclared, int seed, List<Named> policies) {
        List<MachineType> types = new ArrayList<>();
        for (int type = 0; type < TYPES.size(); type++) {
            types.add(MachineType.of(TYPES.get(type), setting.machines()[type]));
        }
        List<TraceJob> trace =
                SwingingArrivals.of(
                        new GavelGenerator(rates, GavelGenerator.Sizes.SINGLE, seed).draw(JOBS, 1),
                        setting.perHour(),
                        setting.swing());
        for (Named named : policies) {
            if (named.name().equals("allox") && !isDeclared) {
                continue; // It knows sizes.
            }
            SimulationResult result =
                    FleetSimulation.run(
                            types,
                            trace,
                            named.policy(),
                            SimulationOptions.gavel(1500, 2500)
                                    .withSizes(
                                            isDeclared
                                                    ? SizeKnowledge.DECLARED
                                                    : SizeKnowledge.NONE));
            System.out.printf(
                    Locale.ROOT,
                    "%s,%s,%d,%s,%.4f,%.3f,%.4f,%d%n",
                    setting.name(),
                    isDeclared ? "declared" : "none",
                    seed,
                    named.name(),
                    result.meanCompletionS() / 3600,
                    result.completionS(0.99) / 3600,
                    result.utilization(),
                    result.moves());
        }
    }
}
