package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.ClusterSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.membership.View;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs whose workers have joined: to their end, and with members that fail or are lost. */
@Tag("real")
@Timeout(600)
class CoordinatorTest {
    private static final long LAST_STEP = Acting.LAST_STEP;

    private final CoordinatedRun run = new CoordinatedRun();

    @Test
    void shouldEndWellWhenAllMembersHaveFinished() throws Exception {
        RunOutcome outcome = run.play(Acting.training());
        assertThat(outcome)
                .isEqualTo(
                        new RunOutcome(
                                RunOutcome.Kind.COMPLETED,
                                LAST_STEP,
                                "the budget is used up",
                                null,
                                "hash"));
        assertThat(run.views()).hasSize(1);
        View view = run.views().get(0);
        assertThat(view.group().size()).isEqualTo(2);
        assertThat(view.plan().shares()).containsExactly(6, 6);
        assertThat(view.plan().version()).isEqualTo(1);
        assertThat(run.seen())
                .containsSubsequence("launched 1", "launched 2", "formed 1", "stepped 1 by 2")
                .contains("ready worker-1", "ready worker-2", "stepped 8 by 2", "hashed 8 hash")
                .endsWith("ended COMPLETED")
                .doesNotHaveDuplicates();
        assertThat(run.workers().worker(1).close.saveFirst()).isFalse();
    }

    @Test
    void shouldNoticeReplicasThatHaveDrifted() throws Exception {
        Acting script =
                Acting.idle()
                        .whenFormed(
                                (worker, view) -> {
                                    worker.stepTo(4);
                                    String hash = "hash of " + worker.launch;
                                    worker.say(new Message.Hashed(worker.epoch, 4, hash));
                                });
        RunOutcome outcome = run.play(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.failure()).isEqualTo(FailureKind.BUG);
        assertThat(outcome.why()).contains("after step 4").contains("this is a bug");
    }

    /** It is of steps that are void, and other ones have their numbers by now. */
    @Test
    void whatIsToldLateOfAnEarlierGroupShouldBeComparedWithNothing() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    if (view.group().epoch() == 1 && worker.launch == 2) {
                        worker.leave(137);
                    } else if (view.group().epoch() > 1 && view.group().size() == 2) {
                        if (worker.launch == 1) {
                            worker.say(new Message.Hashed(1, LAST_STEP, "of another"));
                            worker.say(new Message.Finished(1, LAST_STEP, "of another", "done"));
                        }
                        Acting.train(worker);
                    }
                });
        RunOutcome outcome = run.play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(outcome.parameterHash()).isEqualTo("hash");
    }

    @Test
    void shouldPassOnWhyAWorkerCannotGoOn() throws Exception {
        Message failed = new Message.Failed(FailureKind.INPUT, "no such column");
        RunOutcome outcome = run.play(Acting.idle().whenWelcomed(worker -> worker.say(failed)));
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.failure()).isEqualTo(FailureKind.INPUT);
        assertThat(outcome.why()).isEqualTo("no such column");
    }

    /** What led to a failure is in the record, also where it is told of after the decision. */
    @Test
    void shouldRecordTheStepsThatAreToldOfAfterAFailure() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                1,
                worker -> {
                    worker.stepTo(3);
                    worker.say(new Message.Failed(FailureKind.UNSOUND, "NaN"));
                });
        script.whenClosed(
                worker -> {
                    if (worker.launch == 2) {
                        worker.stepTo(3);
                    }
                    worker.leave(0);
                });
        RunOutcome outcome = run.play(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.step()).isEqualTo(3);
        assertThat(run.steps()).containsExactly(1L, 2L, 3L);
        assertThat(run.seen()).contains("stepped 3 by 2").endsWith("ended FAILED");
    }

    @Test
    void shouldGoOnFromTheFurthestSurvivorAndStartTheLostAnew() throws Exception {
        RunOutcome outcome = run.play(secondIsLostInItsFirstGroup());
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        List<View> views = run.views();
        View last = views.get(views.size() - 1);
        assertThat(last.committed().step()).isEqualTo(5);
        assertThat(last.group().members())
                .extracting(m -> m.worker().value())
                .containsExactly(run.idOf(1), run.idOf(3));
        assertThat(last.source()).isZero();
        assertThat(last.behind()).containsExactly(1);
        assertThat(views).extracting(v -> v.plan().version()).isSorted().doesNotHaveDuplicates();
        assertThat(run.seen())
                .contains("lost worker-2", "launched 3", "restarted as 3")
                .doesNotHaveDuplicates();
        assertThat(run.steps()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    private static Acting secondIsLostInItsFirstGroup() {
        return Acting.training()
                .whenFormed(
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
    }

    @Test
    void shouldCountAsLostWhoFallsSilent() throws Exception {
        run.on(
                new ClusterSpec(
                        2,
                        1,
                        List.of(),
                        List.of(),
                        50_000_000L,
                        400_000_000L,
                        1_000_000_000L,
                        0,
                        null));
        Acting script =
                Acting.training()
                        .whenFormed(
                                (worker, view) -> {
                                    if (view.group().size() == 1) {
                                        Acting.train(worker);
                                    } else if (worker.launch == 1) {
                                        worker.beatFor(TimeUnit.SECONDS.toMillis(20));
                                    }
                                });
        RunOutcome outcome = run.play(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.seen()).contains("lost worker-" + run.idOf(2));
        assertThat(run.workers().killed()).containsExactly(2);
        assertThat(run.workers().launches()).as("no restart was allowed").isEqualTo(2);
    }

    @Test
    void shouldGiveUpWhenAllAreLostAndNoRestartIsLeft() throws Exception {
        RunOutcome outcome =
                run.on(2, 1).play(Acting.idle().whenFormed((worker, view) -> worker.leave(1)));
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.why()).contains("cluster.restarts=1 is used up");
        assertThat(run.workers().launches()).as("two for the first two").isEqualTo(4);
    }

    /** Both were lost at once, for one reason: one restart is enough for both. */
    @Test
    void workersThatAreLostInOneMomentShouldCostOneRestart() throws Exception {
        RunOutcome outcome =
                run.on(2, 1)
                        .play(
                                Acting.idle()
                                        .whenFormed(
                                                (worker, view) -> {
                                                    if (worker.launch > 2) {
                                                        Acting.train(worker);
                                                    } else {
                                                        worker.leave(1);
                                                    }
                                                }));
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.workers().launches()).isEqualTo(4);
    }
}
