package dev.medley.fleet.state;

import java.util.List;

/**
 * Holds one job of a fleet.
 *
 * @param machines names of those that it holds
 * @param why the last decision about it, a sentence
 */
public record FleetJob(
        long id,
        JobRequest request,
        JobPhase phase,
        List<String> machines,
        JobAttempt run,
        JobRecord record,
        String why) {
    public FleetJob {
        machines = List.copyOf(machines);
    }

    /** Holds a job's times and measurements. */
    public record JobRecord(JobTimes times, JobMeasure measure) {}

    /** A job that was just submitted. */
    public static FleetJob submitted(long id, JobRequest request, double nowS) {
        return new FleetJob(
                id,
                request,
                JobPhase.QUEUED,
                List.of(),
                JobAttempt.NONE,
                new JobRecord(JobTimes.submitted(nowS), JobMeasure.NONE),
                "it was just submitted");
    }

    /** When things happened to it. */
    public JobTimes times() {
        return record.times();
    }

    /** What was measured of it. */
    public JobMeasure measure() {
        return record.measure();
    }

    /** The same in another phase, with the reason. */
    public FleetJob in(JobPhase next, String sentence) {
        return new FleetJob(id, request, next, machines, run, record, sentence);
    }

    /** The same with other machines. */
    public FleetJob holding(List<String> names, String sentence) {
        return new FleetJob(id, request, phase, names, run, record, sentence);
    }

    /** The same with another process. */
    public FleetJob with(JobAttempt other) {
        return new FleetJob(id, request, phase, machines, other, record, why);
    }

    /** The same under other terms. */
    public FleetJob with(JobRequest other) {
        return new FleetJob(id, other, phase, machines, run, record, why);
    }

    /** The same at other times. */
    public FleetJob with(JobTimes other) {
        JobRecord now = new JobRecord(other, record.measure());
        return new FleetJob(id, request, phase, machines, run, now, why);
    }

    /** The same with other measurements. */
    public FleetJob with(JobMeasure other) {
        JobRecord now = new JobRecord(record.times(), other);
        return new FleetJob(id, request, phase, machines, run, now, why);
    }

    /** Whether something of it may still have to be done: it is not over, or not cleared away. */
    public boolean isLive() {
        return !phase.isOver() || run.isStarted() || !machines.isEmpty();
    }

    /** Whether its run told how large it is, and how fast it went. */
    public boolean isKnown() {
        return !Double.isNaN(measure().total()) && !measure().rates().isEmpty();
    }

    /** Whether it could be given machines. */
    public boolean wantsMachines() {
        return phase == JobPhase.QUEUED || phase == JobPhase.STARTING || phase == JobPhase.RUNNING;
    }
}
