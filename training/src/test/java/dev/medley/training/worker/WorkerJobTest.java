package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobStart;
import dev.medley.base.time.Clock;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.door.JoinSecret;
import dev.medley.training.GivenTrain;
import dev.medley.worker.Worker;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker was started for one job, and a coordinator hands it another, over a real socket. */
@Tag("real")
@Timeout(600)
class WorkerJobTest {
    private static final JobSpec JOB = Coordinated.job(GivenTrain.of(0, 5, 8).spec());

    private final BlockingQueue<Message> said = new LinkedBlockingQueue<>();

    @Test
    void shouldSayItsJobAndTrainNoOther() throws Exception {
        JobSpec other = JOB.with(JOB.train(), new CheckpointSpec(7, 0, 3));
        try (ControlServer server =
                ControlServer.onLoopback(JoinSecret.ofRun("token"), new Other(other))) {
            Worker worker =
                    new Worker(
                            server.address(),
                            "token",
                            1,
                            JobStart.of(JOB),
                            WorkerSettings.HERE,
                            WorkerMain.TASKS,
                            Clock.system());
            assertThat(worker.run()).isFalse();
        }
        String own = JobStart.of(JOB).job().toString();
        String theirs = JobStart.of(other).job().toString();
        assertThat(said.poll(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Message.Hello.class, hello -> assertThat(hello.job()).isEqualTo(own));
        Message.Failed failed = failed();
        assertThat(failed.kind()).isEqualTo(FailureKind.INPUT);
        assertThat(failed.message())
                .isEqualTo(
                        "worker-1 was started for job %s and is to train job %s: start it with that"
                                + " job",
                        own, theirs);
    }

    private Message.Failed failed() throws InterruptedException {
        Message next = said.poll(30, TimeUnit.SECONDS);
        while (next instanceof Message.Alive) {
            next = said.poll(30, TimeUnit.SECONDS);
        }
        return (Message.Failed) next;
    }

    /** Welcomes whoever comes to that job. */
    private final class Other implements ControlConnection.Handler {
        private final JobSpec job;

        Other(JobSpec job) {
            this.job = job;
        }

        @Override
        public void received(ControlConnection from, Message message) {
            said.add(message);
            if (message instanceof Message.Hello) {
                from.send(
                        new Message.Welcome(
                                new WorkerId(1),
                                1_000_000_000L,
                                10_000_000_000L,
                                TrialScope.LEVEL,
                                job.work().name(),
                                Json.tree(Coordinated.assignment(job, "nowhere"))));
            }
        }

        @Override
        public void closed(ControlConnection connection, String why) {}
    }
}
