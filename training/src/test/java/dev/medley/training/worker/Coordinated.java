package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.WorkerId;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.Work;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardFile;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.tensor.model.Replica;
import dev.medley.training.GivenState;
import dev.medley.training.loop.WorkerState;
import dev.medley.worker.Delivery;
import dev.medley.worker.WorkerSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A coordinator that listens, and a worker's session with it. */
final class Coordinated implements ControlConnection.Handler, AutoCloseable {
    private final ControlServer server;
    private final WorkerSession session;
    private final List<String> noted = new CopyOnWriteArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch hungUp = new CountDownLatch(1);
    private final AtomicLong nowNs = new AtomicLong();
    private volatile long eachLookNs;

    Coordinated() throws IOException {
        server = ControlServer.onLoopback(JoinSecret.ofRun("secret"), this);
        session =
                WorkerSession.open(
                        server.address(),
                        null,
                        JoinSecret.ofRun("secret"),
                        new Message.Hello("1", "", 1, 1),
                        new Seat(Progress.NONE),
                        Clock.system());
    }

    /** Keeps a run in a folder, with a checkpoint due after every step; tells "steps". */
    Keeping keeping(Path run, Path rescue, WorkerState state) {
        Assignment usual = assignment(job(state.schedule().train()), run.toString());
        Assignment assignment =
                new Assignment(
                        usual.job(),
                        usual.data(),
                        usual.runFolder(),
                        null,
                        rescue.toString(),
                        usual.versions());
        return new Keeping(
                assignment,
                new WorkerId(1),
                new ReadyWorker(
                        null,
                        new ModelKind.OfGradients((Replica) state.learner()),
                        state,
                        null,
                        null,
                        null),
                session,
                new Keeping.Figures() {
                    @Override
                    public void tell() {
                        session.say(new Message.Noted("steps", Json.tree(Map.of())));
                    }

                    @Override
                    public List<WorkerStep> unrecorded() {
                        return List.of();
                    }
                },
                Delivery.NONE,
                clock());
    }

    /** From now on so much time passes whenever somebody looks at the clock. */
    void passEachLookNs(long more) {
        eachLookNs = more;
    }

    void passNs(long more) {
        nowNs.addAndGet(more);
    }

    /** The kinds of all that was noted. The session is over then. */
    List<String> noted() throws InterruptedException {
        session.close();
        assertThat(hungUp.await(120, TimeUnit.SECONDS)).isTrue();
        return noted;
    }

    /** What the events among them say. */
    List<String> events() {
        return events;
    }

    @Override
    public void received(ControlConnection from, Message message) {
        if (message instanceof Message.Noted note) {
            noted.add(note.kind());
            events.add(note.value().path("message").asString(""));
        }
    }

    @Override
    public void closed(ControlConnection connection, String why) {
        hungUp.countDown();
    }

    @Override
    public void close() throws IOException {
        session.close();
        server.close();
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public long nowNs() {
                return nowNs.addAndGet(eachLookNs);
            }

            @Override
            public long wallMillis() {
                return nowNs.get() / 1_000_000;
            }
        };
    }

    static Assignment assignment(JobSpec job, String run) {
        return new Assignment(job, data(), run, null, null, Map.of("medley", "1"));
    }

    static JobSpec job(TrainSpec train) {
        return new JobSpec(
                "kept",
                new Work.Gradient(dataSpec(), GivenState.model(), train, StrategySpec.defaults()),
                ClusterSpec.ofWorkers(2),
                new CheckpointSpec(1, 0, 3),
                1);
    }

    private static PreparedData data() {
        CustomEncoding encoding =
                new CustomEncoding(new ClassSpec("Source", Map.of()), GivenState.signature());
        ShardFile samples = ShardFile.ofRecords("samples", 68, 1000);
        Ingested.Findings findings = new Ingested.Findings(0, true, List.of(), List.of());
        return new PreparedData(
                PreparedData.VERSION,
                "data",
                dataSpec(),
                DataFormat.CUSTOM,
                1,
                "hash",
                new Ingested(encoding, samples, samples, findings));
    }

    private static DataSpec dataSpec() {
        return new DataSpec(
                DataFormat.AUTO,
                List.of("a.csv"),
                List.of(),
                "y",
                DataSpec.SplitSpec.defaults(),
                DataSpec.TableSpec.defaults(),
                DataSpec.ImageSpec.defaults(),
                DataSpec.TextSpec.defaults(),
                DataSpec.CacheSpec.defaults(),
                2,
                null);
    }
}
