package dev.medley.fleet.learning.episode;

import dev.medley.base.Seeds;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.simulation.FleetSimulation;
import dev.medley.fleet.simulation.SimulationOptions;
import dev.medley.fleet.simulation.SizeKnowledge;
import dev.medley.fleet.trace.GavelGenerator;
import dev.medley.fleet.trace.GavelRates;
import dev.medley.fleet.trace.SwingingArrivals;
import dev.medley.fleet.trace.TraceJob;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Draws episodes of Gavel's kinds of jobs: fleets of unlike mixes, loads from a third of what a
 * fleet can do to all of it, half of them swinging by the day, half without declared sizes, half
 * with a cost of restarts. Seeds of jobs are 100 and above, so those that are measured are not met.
 *
 * @param jobs of an episode
 */
public record GavelEpisodes(GavelRates rates, int jobs) implements Episodes {
    private static final long FIRST_SEED = 100;

    /** Jobs an hour that 36 machines of each type just keep up with. */
    private static final double FULL_PER_HOUR = 6.2;

    private static final double FULL_MACHINES = 36;

    @Override
    public Episode of(long number) {
        RandomGenerator random = Seeds.generator(31, number);
        int[] machines = new int[rates.types().size()];
        double capacity = 0;
        double full = 0;
        for (int type = 0; type < machines.length; type++) {
            machines[type] = 8 + random.nextInt(33);
            capacity += machines[type] * speed(type);
            full += FULL_MACHINES * speed(type);
        }
        double perHour = FULL_PER_HOUR * capacity / full * (0.35 + 0.65 * random.nextDouble());
        double swing = random.nextBoolean() ? 0 : 0.2 + 0.6 * random.nextDouble();
        double restartS = random.nextBoolean() ? 0 : 30;
        SizeKnowledge sizes = random.nextBoolean() ? SizeKnowledge.DECLARED : SizeKnowledge.NONE;
        List<MachineType> types = new ArrayList<>();
        for (int type = 0; type < machines.length; type++) {
            types.add(MachineType.of(rates.types().get(type), machines[type]));
        }
        List<TraceJob> trace =
                SwingingArrivals.of(
                        new GavelGenerator(rates, GavelGenerator.Sizes.SINGLE, FIRST_SEED + number)
                                .draw(jobs, 1),
                        perHour,
                        swing);
        SimulationOptions options =
                new SimulationOptions(360, restartS, true, 0, trace.size(), sizes);
        return policy -> play(types, trace, policy, options);
    }

    private static void play(
            List<MachineType> types,
            List<TraceJob> trace,
            Policy policy,
            SimulationOptions options) {
        FleetSimulation.run(types, trace, policy, options);
    }

    /** How fast a type is beside the best one for each kind, on the mean. */
    private double speed(int type) {
        double sum = 0;
        int count = 0;
        for (String kind : GavelGenerator.kinds()) {
            double[] byType = rates.of(kind, 1);
            double best = 0;
            for (double rate : byType) {
                best = Math.max(best, rate);
            }
            sum += byType[type] / best;
            count++;
        }
        return sum / count;
    }
}
