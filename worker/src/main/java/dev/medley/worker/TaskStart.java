package dev.medley.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.WorkerId;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobStart;
import dev.medley.base.time.Clock;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Seat;
import dev.medley.net.tls.Credentials;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a task begins with.
 *
 * @param welcome to the run, with the assignment
 * @param started the job that the worker's process was started for
 * @param token secret of the run
 * @param place where the worker runs
 * @param credentials of its machine; null for plain text
 * @param files opens a connection to the coordinator's files
 * @param life the worker's conversation, its seat and its clock
 */
public record TaskStart(
        Message.Welcome welcome,
        JobStart started,
        String token,
        WorkerSettings place,
        @Nullable Credentials credentials,
        DataOrigin.Files files,
        Life life) {
    /**
     * Holds what a task shares with the life of its worker.
     *
     * @param session the conversation with the coordinator
     * @param seat of the worker in its groups
     * @param clock of the process
     */
    public record Life(WorkerSession session, Seat seat, Clock clock) {}

    /** Who the worker is. */
    public WorkerId self() {
        return welcome.worker();
    }

    /**
     * Checks that the job is the one that the process was started for: the owner of this machine
     * may have let it join for that job alone.
     */
    public void requireOwn(JobSpec job) {
        ConfigException.check(
                started.isFor(job),
                "%s was started for job %s and is to train job %s: start it with that job",
                self(),
                started.job(),
                JobIdentity.of(job));
    }
}
