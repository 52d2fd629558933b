package dev.medley.fleet.simulation;

import dev.medley.fleet.view.MachineType;
import java.util.Arrays;
import java.util.List;

/**
 * Holds what a simulation showed.
 *
 * @param jobs those that were to be measured, by id
 * @param queue jobs in the system over time, a sample a round
 * @param busyS machine seconds that jobs held, by type
 * @param endS when the simulation ended
 * @param cost of the machine seconds that jobs held; NaN where a price is missing
 * @param moves of all jobs
 */
public record SimulationResult(
        List<MachineType> types,
        List<SimulatedJob> jobs,
        List<QueueSample> queue,
        double[] busyS,
        double endS,
        double cost,
        long moves) {
    public SimulationResult {
        jobs = List.copyOf(jobs);
        queue = List.copyOf(queue);
    }

    /** Mean completion time of the measured jobs, in seconds. */
    public double meanCompletionS() {
        return jobs.stream().mapToDouble(SimulatedJob::completionS).average().orElse(Double.NaN);
    }

    /** A quantile of completion times, in seconds: the nearest rank. */
    public double completionS(double quantile) {
        double[] sorted = jobs.stream().mapToDouble(SimulatedJob::completionS).sorted().toArray();
        int rank = (int) Math.ceil(quantile * sorted.length) - 1;
        return sorted[Math.max(0, Math.min(rank, sorted.length - 1))];
    }

    /** Mean over jobs of the time that each would take alone on its best type, in seconds. */
    public double idealS() {
        return jobs.stream().mapToDouble(SimulatedJob::idealS).average().orElse(Double.NaN);
    }

    /** When the last of the measured jobs ended. */
    public double makespanS() {
        return jobs.stream().mapToDouble(SimulatedJob::endS).max().orElse(Double.NaN);
    }

    /** Share of all machines' time that jobs held, 0 to 1. */
    public double utilization() {
        int machines = types.stream().mapToInt(MachineType::machines).sum();
        return machines == 0 ? 0 : Arrays.stream(busyS).sum() / (machines * endS);
    }

    /** Share of the time of a type's machines that jobs held, 0 to 1. */
    public double utilization(int type) {
        int machines = types.get(type).machines();
        return machines == 0 ? 0 : busyS[type] / (machines * endS);
    }
}
