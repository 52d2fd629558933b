package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.control.coordinator.FakeWorkers.Worker;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.door.Recognition.UnprovenException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may join a run, and what becomes of starts that never come to it. */
@Tag("real")
@Timeout(600)
class CoordinatorStartsTest {
    private final CoordinatedRun run = new CoordinatedRun();

    @Test
    void shouldRefuseWhoeverDoesNotKnowTheSecret() throws Exception {
        Acting script =
                Acting.training()
                        .whenLaunched(
                                1,
                                worker -> {
                                    Worker stranger = run.workers().strangerBeside(worker, "guess");
                                    assertThatThrownBy(stranger::connect)
                                            .isInstanceOf(UnprovenException.class)
                                            .hasMessageContaining("the secret of the run");
                                    Acting.join(worker);
                                });
        RunOutcome outcome = run.play(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.seen()).filteredOn(s -> s.startsWith("joined")).hasSize(2);
    }

    @Test
    void shouldNotTrainWithAnotherJob() throws Exception {
        Acting script = Acting.training();
        script.whenLaunched(worker -> helloOf(FakeWorkers.VERSION, "mnist+0b7e44d2", worker));
        RunOutcome outcome = run.play(script);
        assertThat(outcome.failure()).isEqualTo(FailureKind.INPUT);
        assertThat(outcome.why())
                .contains(
                        "was started for job mnist+0b7e44d2, but run adult-20261121-101500 is of"
                                + " job adult+5f0c2a91: start it with that job");
    }

    @Test
    void shouldNotTrainWithAnotherBuild() throws Exception {
        Acting script = Acting.training();
        script.whenLaunched(worker -> helloOf("1.2.3+0a1b2c3d", worker));
        RunOutcome outcome = run.play(script);
        assertThat(outcome.failure()).isEqualTo(FailureKind.INPUT);
        assertThat(outcome.why())
                .contains("is Medley 1.2.3+0a1b2c3d, the coordinator is 1.2.3: use one build");
    }

    /** As where a machine was built anew while the run went on, and a worker is lost there. */
    @Test
    void shouldGoOnWithoutAWorkerOfAnotherBuildThatComesLater() throws Exception {
        Acting script =
                Acting.idle()
                        .whenLaunched(3, worker -> helloOf("0.9", worker))
                        .whenFormed(
                                (worker, view) -> {
                                    if (worker.launch == 2) {
                                        worker.leave(1);
                                    } else if (view.group().epoch() > 1
                                            && view.group().size() == 2) {
                                        Acting.train(worker);
                                    }
                                });
        RunOutcome outcome = run.on(2, 2).play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.seen())
                .contains(
                        "warned A worker was refused: worker-3 is Medley 0.9, the coordinator is"
                                + " 1.2.3: use one build on all machines");
        assertThat(run.workers().launches()).isEqualTo(4);
    }

    private static void helloOf(String version, Worker worker) throws IOException {
        helloOf(version, FakeWorkers.JOB.toString(), worker);
    }

    private static void helloOf(String version, String job, Worker worker) throws IOException {
        worker.connect();
        worker.say(new Message.Hello(version, job, worker.launch, 1));
    }

    @Test
    void shouldTellTheLastWordsOfAWorkerThatNeverJoined() throws Exception {
        Acting script = Acting.idle().whenLaunched(worker -> worker.exit(1, "no such class"));
        RunOutcome outcome = run.on(2, 0).play(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.why())
                .contains("exit status 1 before it could join")
                .contains("no such class");
    }

    @Test
    void shouldStartAnewWhoEndedBeforeJoining() throws Exception {
        RunOutcome outcome = run.play(firstEndsBeforeJoining());
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.workers().launches()).isEqualTo(3);
    }

    @Test
    void shouldTrainWithTheOthersWhenNoRestartIsLeftForOneThatNeverJoined() throws Exception {
        RunOutcome outcome = run.on(2, 0).play(firstEndsBeforeJoining());
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.workers().launches()).isEqualTo(2);
        assertThat(run.views()).hasSize(1);
        assertThat(run.views().get(0).group().size()).isEqualTo(1);
    }

    private static Acting firstEndsBeforeJoining() {
        return Acting.training().whenLaunched(1, worker -> worker.exit(1, ""));
    }

    @Test
    void shouldStartAnewWhoDoesNotSayHelloInTime() throws Exception {
        run.startTimeout(3, TimeUnit.SECONDS);
        RunOutcome outcome = run.play(Acting.training().whenLaunched(1, worker -> {}));
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.workers().launches()).isEqualTo(3);
        assertThat(run.workers().killed()).contains(1);
    }

    /** It is alive, and whatever it reads its data from does not answer. */
    @Test
    void shouldStartAnewWhoHangsWhileItLoads() throws Exception {
        AtomicInteger welcome = new AtomicInteger();
        Acting script =
                Acting.training()
                        .whenWelcomed(
                                worker -> {
                                    worker.beatFor(60_000);
                                    if (worker.launch > 1) {
                                        worker.ready();
                                    }
                                    if (welcome.incrementAndGet() == 2) {
                                        run.skip(5, TimeUnit.SECONDS);
                                    }
                                });
        RunOutcome outcome = run.startTimeout(3, TimeUnit.SECONDS).play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.seen()).contains("lost worker-1");
        assertThat(run.workers().killed()).contains(1);
    }

    @Test
    void shouldNotWaitForeverForAHello() throws Exception {
        run.on(1, 0).startTimeout(80, TimeUnit.MILLISECONDS);
        RunOutcome outcome = run.play(Acting.idle().whenLaunched(worker -> {}));
        assertThat(outcome.failure()).isEqualTo(FailureKind.BUG);
        assertThat(outcome.why()).contains("worker-1 did not join within 80 ms");
    }

    @Test
    void shouldSayWhyNoWorkerCanBeStarted() throws Exception {
        RunOutcome outcome = run.on(2, 1).play(startingNone(Acting.idle(), 1));
        assertThat(outcome.failure()).isEqualTo(FailureKind.INPUT);
        assertThat(outcome.why()).contains("cluster.restarts=1 is used up", "no descriptors");
        assertThat(run.workers().launches()).isEqualTo(3);
    }

    @Test
    void shouldTrainWithThoseWhoCouldBeStarted() throws Exception {
        RunOutcome outcome = run.on(3, 1).play(startingNone(Acting.training(), 3));
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.workers().launches()).isEqualTo(4);
        assertThat(run.views().get(0).group().size()).isEqualTo(2);
    }

    @Test
    void shouldGoOnWhereALostWorkerCannotBeStartedAnew() throws Exception {
        Acting script =
                startingNone(Acting.idle(), 3)
                        .whenFormed(
                                (worker, view) -> {
                                    if (worker.launch == 2) {
                                        worker.leave(1);
                                    } else if (view.group().size() == 1) {
                                        Acting.train(worker);
                                    }
                                });
        RunOutcome outcome = run.on(2, 2).play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.seen()).anyMatch(s -> s.startsWith("warned ") && s.contains("descriptors"));
    }

    @Test
    void shouldTrainWithTheOthersWhereTheFirstCannotBeStarted() throws Exception {
        Acting script = Acting.training();
        script.whenLaunched(1, worker -> failToStart());
        RunOutcome outcome = run.on(2, 0).play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.views().get(0).group().size()).isEqualTo(1);
    }

    /** What a worker lacks may be there a moment later. */
    @Test
    void shouldTryAgainToStartWhatCouldNotBe() throws Exception {
        Acting script = Acting.training();
        script.whenLaunched(2, worker -> failToStart());
        RunOutcome outcome = run.on(2, 1).play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.views().get(0).group().size()).isEqualTo(2);
    }

    private static Acting startingNone(Acting script, int fromLaunch) {
        return script.whenLaunched(
                worker -> {
                    if (worker.launch >= fromLaunch) {
                        failToStart();
                    }
                    Acting.join(worker);
                });
    }

    private static void failToStart() throws IOException {
        throw new IOException("no descriptors");
    }
}
