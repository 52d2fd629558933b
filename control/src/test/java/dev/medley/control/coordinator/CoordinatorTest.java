package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Clock;
import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.WorkerId;
import dev.medley.base.job.ClusterSpec;
import dev.medley.control.coordinator.FakeWorkers.Script;
import dev.medley.control.coordinator.FakeWorkers.Worker;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.planner.SharePlan;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.View;
import dev.medley.profile.machine.OutOfMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A coordinator on its own thread, with workers that only talk, over real sockets. */
@Tag("real")
@Timeout(60)
class CoordinatorTest {
    private static final String TOKEN = "secret";
    private static final long LAST_STEP = Acting.LAST_STEP;

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final List<View> views = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<Coordinator> coordinator = new AtomicReference<>();
    private FakeWorkers workers = new FakeWorkers(Acting.idle());
    private ClusterSpec cluster = cluster(2, 3);
    private long startTimeoutNs = TimeUnit.SECONDS.toNanos(30);

    record Told(String what) {}

    @Test
    void shouldEndWellWhenAllMembersHaveFinished() throws Exception {
        RunOutcome outcome = run(Acting.training());
        assertThat(outcome)
                .isEqualTo(
                        new RunOutcome(
                                RunOutcome.Kind.COMPLETED,
                                LAST_STEP,
                                "the budget is used up",
                                null,
                                "hash"));
        assertThat(views).hasSize(1);
        assertThat(views.get(0).group().size()).isEqualTo(2);
        assertThat(views.get(0).plan().shares()).containsExactly(6, 6);
        assertThat(views.get(0).plan().version()).isEqualTo(1);
        assertThat(seen)
                .containsSubsequence("launched 1", "launched 2", "formed 1", "stepped 1 by 2")
                .contains("ready worker-1", "ready worker-2", "stepped 8 by 2", "hashed 8 hash")
                .endsWith("ended COMPLETED")
                .doesNotHaveDuplicates();
        assertThat(workers.worker(1).close.saveFirst()).isFalse();
    }

    @Test
    void shouldRefuseWhoeverDoesNotKnowTheSecret() throws Exception {
        Acting script = Acting.training();
        script.whenLaunched(
                worker -> {
                    if (worker.launch == 1) {
                        Worker stranger = workers.strangerBeside(worker, "guess");
                        stranger.connect();
                        stranger.hello();
                    }
                    Acting.join(worker);
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(seen).filteredOn(s -> s.startsWith("joined")).hasSize(2);
    }

    @Test
    void shouldNotTrainWithAnotherVersion() throws Exception {
        Acting script = Acting.training();
        script.whenLaunched(
                worker -> {
                    worker.connect();
                    worker.say(new Message.Hello(TOKEN, "0.9", worker.launch, 1));
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.failure()).isEqualTo(FailureKind.INPUT);
        assertThat(outcome.why()).contains("is Medley 0.9, the coordinator is 1.2.3");
    }

    @Test
    void shouldNoticeReplicasThatHaveDrifted() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    worker.stepTo(4);
                    worker.say(new Message.Hashed(4, "hash of " + worker.launch));
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.failure()).isEqualTo(FailureKind.BUG);
        assertThat(outcome.why()).contains("after step 4").contains("this is a bug");
    }

    @Test
    void shouldPassOnWhyAWorkerCannotGoOn() throws Exception {
        Message failed = new Message.Failed(FailureKind.INPUT, "no such column");
        RunOutcome outcome = run(Acting.idle().whenWelcomed(worker -> worker.say(failed)));
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.failure()).isEqualTo(FailureKind.INPUT);
        assertThat(outcome.why()).isEqualTo("no such column");
    }

    /** What led to a failure is in the record, also where it is told of after the decision. */
    @Test
    void shouldRecordTheStepsThatAreToldOfAfterAFailure() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    if (worker.launch == 1) {
                        worker.stepTo(3);
                        worker.say(new Message.Failed(FailureKind.UNSOUND, "NaN"));
                    }
                });
        script.whenClosed(
                worker -> {
                    if (worker.launch == 2) {
                        worker.stepTo(3);
                    }
                    worker.leave(0);
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.step()).isEqualTo(3);
        assertThat(steps()).containsExactly(1L, 2L, 3L);
        assertThat(seen).contains("stepped 3 by 2").endsWith("ended FAILED");
    }

    @Test
    void shouldGoOnFromTheFurthestSurvivorAndStartTheLostAnew() throws Exception {
        Acting script = Acting.training();
        script.whenFormed(
                (worker, view) -> {
                    if (view.group().epoch() == 1) {
                        worker.stepTo(worker.launch == 1 ? 5 : 3);
                        if (worker.launch == 2) {
                            worker.leave(137);
                        }
                    } else if (view.group().size() == 2) {
                        Acting.train(worker);
                    }
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        View last = views.get(views.size() - 1);
        assertThat(last.committed().step()).isEqualTo(5);
        assertThat(last.group().members())
                .extracting(m -> m.worker().value())
                .containsExactly(idOf(1), idOf(3));
        assertThat(last.source()).isZero();
        assertThat(last.behind()).containsExactly(1);
        assertThat(views).extracting(v -> v.plan().version()).isSorted().doesNotHaveDuplicates();
        assertThat(seen).contains("lost worker-" + idOf(2), "launched 3").doesNotHaveDuplicates();
        assertThat(steps()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void shouldCountAsLostWhoFallsSilent() throws Exception {
        cluster =
                new ClusterSpec(
                        2, 1, List.of(), List.of(), 50_000_000L, 400_000_000L, 1_000_000_000L, 0);
        Acting script = Acting.training();
        script.whenFormed(
                (worker, view) -> {
                    if (view.group().size() == 1) {
                        Acting.train(worker);
                    } else if (worker.launch == 1) {
                        worker.beatFor(TimeUnit.SECONDS.toMillis(20));
                    }
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(seen).contains("lost worker-" + idOf(2));
        assertThat(workers.killed()).containsExactly(2);
        assertThat(workers.launches()).as("no restart was allowed").isEqualTo(2);
    }

    @Test
    void shouldGiveUpWhenAllAreLostAndNoRestartIsLeft() throws Exception {
        cluster = cluster(2, 1);
        RunOutcome outcome = run(Acting.idle().whenFormed((worker, view) -> worker.leave(1)));
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.why()).contains("cluster.restarts=1 is used up");
        assertThat(workers.launches()).isEqualTo(3);
    }

    @Test
    void shouldGiveUpOnGroupsThatNeverComeToAStep() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    if (worker.launch == 1) {
                        Fault fault = new Fault(Fault.Kind.LINK, "worker-2", "a bad cable");
                        worker.say(new Message.Faulted(worker.epoch, 1, fault));
                    }
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.why())
                .contains("groups in a row ended without a step after step 0")
                .contains("a bad cable");
    }

    @Test
    void shouldTellTheLastWordsOfAWorkerThatNeverJoined() throws Exception {
        cluster = cluster(2, 0);
        RunOutcome outcome =
                run(Acting.idle().whenLaunched(worker -> worker.exit(1, "no such class")));
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.why())
                .contains("exit status 1 before it could join")
                .contains("no such class");
    }

    @Test
    void shouldStartAnewWhoEndedBeforeJoining() throws Exception {
        RunOutcome outcome = run(firstEndsBeforeJoining());
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(workers.launches()).isEqualTo(3);
    }

    @Test
    void shouldTrainWithTheOthersWhenNoRestartIsLeftForOneThatNeverJoined() throws Exception {
        cluster = cluster(2, 0);
        RunOutcome outcome = run(firstEndsBeforeJoining());
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(workers.launches()).isEqualTo(2);
        assertThat(views).hasSize(1);
        assertThat(views.get(0).group().size()).isEqualTo(1);
    }

    @Test
    void shouldStartAnewWhoDoesNotSayHelloInTime() throws Exception {
        startTimeoutNs = TimeUnit.SECONDS.toNanos(3);
        Acting script = Acting.training();
        script.whenLaunched(
                worker -> {
                    if (worker.launch != 1) {
                        Acting.join(worker);
                    }
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(workers.launches()).isEqualTo(3);
        assertThat(workers.killed()).contains(1);
    }

    @Test
    void shouldNotWaitForeverForAHello() throws Exception {
        cluster = cluster(1, 0);
        startTimeoutNs = TimeUnit.MILLISECONDS.toNanos(80);
        RunOutcome outcome = run(Acting.idle().whenLaunched(worker -> {}));
        assertThat(outcome.failure()).isEqualTo(FailureKind.BUG);
        assertThat(outcome.why()).contains("worker 1 did not join within 80 ms");
    }

    @Test
    void shouldSayWhyAWorkerCannotBeStarted() throws Exception {
        Acting script = Acting.idle();
        script.whenLaunched(
                worker -> {
                    throw new IOException("no java");
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.failure()).isEqualTo(FailureKind.INPUT);
        assertThat(outcome.why()).contains("no java");
    }

    @Test
    void anInterruptShouldPauseSaveOnceAndLeave() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    worker.stepTo(3);
                    if (worker.launch == 2) {
                        coordinator.get().interrupt();
                    }
                });
        RunOutcome outcome = run(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        assertThat(outcome.why()).isEqualTo("interrupted");
        assertThat(outcome.step()).isEqualTo(3);
        assertThat(List.of(workers.worker(1), workers.worker(2)))
                .extracting(w -> w.close.saveFirst())
                .containsExactlyInAnyOrder(true, false);
        assertThat(workers.launches()).as("nobody is started anew").isEqualTo(2);
    }

    @Test
    void aSecondInterruptShouldNotWaitForAnybody() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    if (worker.launch == 1) {
                        coordinator.get().interrupt();
                    }
                });
        script.whenPaused(worker -> coordinator.get().interrupt());
        RunOutcome outcome = run(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        assertThat(outcome.why()).contains("interrupted twice");
    }

    @Test
    void anInterruptBeforeTheFirstStepShouldEndAtOnce() throws Exception {
        RunOutcome outcome =
                run(Acting.idle().whenWelcomed(worker -> coordinator.get().interrupt()));
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        assertThat(outcome.step()).isZero();
    }

    private static Acting firstEndsBeforeJoining() {
        return Acting.training()
                .whenLaunched(
                        worker -> {
                            if (worker.launch == 1) {
                                worker.exit(1, "");
                            } else {
                                Acting.join(worker);
                            }
                        });
    }

    private RunOutcome run(Script script) throws Exception {
        workers = new FakeWorkers(script);
        return run(workers);
    }

    private RunOutcome run(Launcher launcher) throws Exception {
        CoordinatorOptions options =
                new CoordinatorOptions(
                        cluster, FakeWorkers.VERSION, startTimeoutNs, OutOfMemory.watch());
        JsonNode assignment = Json.tree(new Told("nothing"));
        coordinator.set(
                new Coordinator(
                        options,
                        assignment,
                        TOKEN,
                        new Coordinator.World(
                                launcher,
                                new SharePlan(12, 1, List.of()),
                                new Watcher(),
                                Clock.system())));
        return coordinator.get().run();
    }

    /** The identity of a start: given in the order of hellos, which is not that of starts. */
    private int idOf(int launch) {
        return workers.worker(launch).id().value();
    }

    private List<Long> steps() {
        return seen.stream()
                .filter(s -> s.startsWith("stepped"))
                .map(s -> Long.valueOf(s.split(" ", -1)[1]))
                .toList();
    }

    private static ClusterSpec cluster(int count, int restarts) {
        ClusterSpec usual = ClusterSpec.ofWorkers(count);
        return new ClusterSpec(
                count,
                1,
                List.of(),
                List.of(),
                usual.heartbeatNs(),
                usual.peerTimeoutNs(),
                usual.stepTimeoutNs(),
                restarts);
    }

    /** Writes down what happens. */
    private final class Watcher implements RunWatcher {
        @Override
        public void launched(int launch) {
            seen.add("launched " + launch);
        }

        @Override
        public void joined(WorkerId worker, int launch) {
            seen.add("joined " + worker);
        }

        @Override
        public void ready(WorkerId worker, long startUpNs) {
            seen.add("ready " + worker);
        }

        @Override
        public void lost(WorkerId worker, Fault fault) {
            seen.add("lost " + worker);
        }

        @Override
        public void formed(View view) {
            views.add(view);
            seen.add("formed " + view.group().epoch());
        }

        @Override
        public void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {
            seen.add("stepped " + steps.values().iterator().next().step() + " by " + steps.size());
        }

        @Override
        public void hashed(long step, String parameterHash) {
            seen.add("hashed " + step + " " + parameterHash);
        }

        @Override
        public void ended(RunOutcome outcome) {
            seen.add("ended " + outcome.kind());
        }
    }
}
