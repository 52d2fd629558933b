package dev.medley.cli.fleet.study;

import dev.medley.fleet.simulation.SimulatedJob;
import dev.medley.fleet.simulation.SimulationResult;
import dev.medley.fleet.view.MachineType;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sums up what a policy made of a trace, for people and for JSON.
 *
 * @param jobs that count
 * @param utilization of all machines, 0 to 1
 * @param utilizationByType the same by type
 * @param cost of all machines in use; null without prices
 * @param decision how long deciding took
 */
record PolicyResult(
        String policy,
        int jobs,
        Completion completion,
        double utilization,
        Map<String, Double> utilizationByType,
        @Nullable Double cost,
        DecisionTime decision) {
    /**
     * Says when jobs ended.
     *
     * @param meanS mean job completion time, from arrival to end, in seconds
     * @param meanWaitS seconds of it without a machine
     * @param makespanS when the last job that counts ended
     */
    record Completion(
            double meanS, double medianS, double p99S, double meanWaitS, double makespanS) {}

    /** Says how long deciding took, in milliseconds, over so many decisions. */
    record DecisionTime(double meanMs, double longestMs, int decisions) {}

    static PolicyResult of(SimulationResult run, TimedPolicy policy) {
        Map<String, Double> byType = new LinkedHashMap<>();
        for (int type = 0; type < run.types().size(); type++) {
            MachineType of = run.types().get(type);
            byType.put(of.name(), run.utilization(type));
        }
        return new PolicyResult(
                policy.name(),
                run.jobs().size(),
                new Completion(
                        run.meanCompletionS(),
                        run.completionS(0.5),
                        run.completionS(0.99),
                        run.jobs().stream().mapToDouble(SimulatedJob::waitedS).average().orElse(0),
                        run.jobs().stream().mapToDouble(SimulatedJob::endS).max().orElse(0)),
                run.utilization(),
                byType,
                Double.isNaN(run.cost()) ? null : run.cost(),
                new DecisionTime(policy.meanMs(), policy.longestMs(), run.queue().size()));
    }
}
