package dev.medley.hub.service;

import dev.medley.fleet.state.Tenure;
import java.util.List;

/**
 * Answers what users, agents and pages ask of a hub. The hub itself implements it, and so does the
 * client that asks over HTTP. All methods are safe for many threads and answer within a second, but
 * {@link #submit}, which checks the job's file first.
 *
 * <p>Each throws {@link dev.medley.base.ConfigException} where the caller's input cannot be used,
 * such as a job that is not there.
 */
public interface HubService {
    /** Takes a job into the queue. When it returns, the job survives the hub's end. */
    JobStatus submit(Submission submission);

    /** All jobs that the hub knows, by id. */
    List<JobStatus> jobs();

    /** One job as it is now. */
    JobStatus job(long id);

    /** What a job waits for, or why it runs where it runs. */
    JobReason why(long id);

    /** Gives a job that is not over other terms. */
    JobStatus change(long id, TermsChange change);

    /** Ends a job; what it has learnt is kept in a checkpoint. */
    JobStatus cancel(long id);

    /** Takes its machines from a job at the next step border; it waits with a checkpoint. */
    JobStatus pause(long id);

    /** Lets a paused job back into the queue. */
    JobStatus resume(long id);

    /** A part of what a job's run has printed. */
    LogPart log(long id, long fromByte);

    /**
     * How a job learns, oldest first, in at most some hundreds of points; empty before it has
     * learnt anything.
     */
    List<CurvePoint> curve(long id);

    /** What the hub has done since it began. */
    FleetCounters counters();

    /** All machines, and what is known of them. */
    FleetStatus fleet();

    /** Who held which machine when, oldest first, since a moment in seconds of the epoch. */
    List<Tenure> timeline(double sinceEpochS);

    /** An agent says how it is, and hears which jobs it should serve. */
    AgentOrders report(AgentReport report);
}
