package dev.medley.plan.simulator;

import dev.medley.base.Seeds;
import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.Disturbance;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedMachine;
import java.util.random.RandomGenerator;

/**
 * Simulates how much of a speed is left by losses of spot machines. Machines are taken away and
 * return at random times (exponential, one seed), each loss costs the step under way and the time
 * to form a group anew, and while a machine is away its part of the work is not done. The
 * simulation covers 20,000 hours of machines, since losses are rare beside steps.
 */
final class SpotLosses {
    private static final double MACHINE_HOURS = 20_000;
    private static final double HOUR_NS = 3600e9;

    /** A machine that vanished is silent; its connections break, which the others see at once. */
    private static final double STEPS_LOST = 0.5;

    private SpotLosses() {}

    /** Part of the undisturbed speed that is left, from 0 to 1. */
    static double keptPart(SimulatedCluster cluster, double stepNs, long seed) {
        double lengthNs = MACHINE_HOURS * HOUR_NS / cluster.size();
        double all = 0;
        double away = 0;
        double stoppedNs = 0;
        for (SimulatedMachine kind : cluster.kinds()) {
            double speed = kind.time().samplesPerSecond(1);
            for (int i = 0; i < kind.count(); i++) {
                all += speed * lengthNs;
                if (kind.unrest().lostEveryNs() > 0) {
                    RandomGenerator random =
                            Seeds.generator(seed, kind.machine().name().hashCode(), i, 2);
                    Absence absence = absence(kind.unrest(), lengthNs, random);
                    away += speed * absence.awayNs();
                    // The others stop when it goes and when it comes back.
                    stoppedNs += absence.losses() * (STEPS_LOST * stepNs + 2 * Costs.FORMING_NS);
                }
            }
        }
        return (1 - away / all) * Math.max(0, 1 - stoppedNs / lengthNs);
    }

    private record Absence(int losses, double awayNs) {}

    private static Absence absence(Disturbance unrest, double lengthNs, RandomGenerator random) {
        int losses = 0;
        double awayNs = 0;
        double at = drawn((double) unrest.lostEveryNs(), random);
        while (at < lengthNs) {
            double back = Math.min(lengthNs, at + drawn((double) unrest.returnNs(), random));
            losses++;
            awayNs += back - at;
            at = back + drawn((double) unrest.lostEveryNs(), random);
        }
        return new Absence(losses, awayNs);
    }

    private static double drawn(double meanNs, RandomGenerator random) {
        return -Math.log(1 - random.nextDouble()) * meanNs;
    }
}
