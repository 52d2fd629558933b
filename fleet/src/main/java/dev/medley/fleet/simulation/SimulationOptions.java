package dev.medley.fleet.simulation;

import dev.medley.base.ConfigException;

/**
 * The settings of a simulation.
 *
 * @param roundS seconds of a round: the policy is asked at its beginning alone
 * @param restartS seconds that a job loses whenever it gets other machines than it had
 * @param wholeSteps whether a round does whole units of work alone, as Gavel's simulator has it
 * @param fromJob first job whose completion is measured
 * @param toJob one after the last; the simulation ends when all of them have ended
 */
public record SimulationOptions(
        double roundS,
        double restartS,
        boolean wholeSteps,
        long fromJob,
        long toJob,
        SizeKnowledge sizes) {
    /** Gavel's protocol: rounds of 360 s, no cost of a restart, exact sizes. */
    public static SimulationOptions gavel(long fromJob, long toJob) {
        return new SimulationOptions(360, 0, true, fromJob, toJob, SizeKnowledge.DECLARED);
    }

    public SimulationOptions {
        ConfigException.check(
                roundS > 0 && roundS < Double.POSITIVE_INFINITY,
                "a round takes %s s; give a number above 0",
                roundS);
        ConfigException.check(
                restartS >= 0 && restartS < roundS,
                "a restart of %s s in rounds of %s s; give 0 or more, less than a round",
                restartS,
                roundS);
        ConfigException.check(
                0 <= fromJob && fromJob < toJob,
                "jobs %d to before %d are measured; give a range that holds a job",
                fromJob,
                toJob);
    }

    /** Whether a job's completion is measured. */
    boolean counts(long job) {
        return fromJob <= job && job < toJob;
    }

    /** The same with a cost of restarts. */
    public SimulationOptions withRestart(double seconds) {
        return new SimulationOptions(roundS, seconds, wholeSteps, fromJob, toJob, sizes);
    }

    /** The same with other knowledge of sizes. */
    public SimulationOptions withSizes(SizeKnowledge knowledge) {
        return new SimulationOptions(roundS, restartS, wholeSteps, fromJob, toJob, knowledge);
    }
}
