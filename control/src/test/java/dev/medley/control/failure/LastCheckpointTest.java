package dev.medley.control.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Fault;
import dev.medley.control.coordinator.Acting;
import dev.medley.control.coordinator.CoordinatedRun;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.SharePlan;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that fail while members hold what no checkpoint has yet. */
@Tag("real")
@Timeout(600)
class LastCheckpointTest {
    private final CoordinatedRun run = new CoordinatedRun();

    @Test
    void whoIsLeftShouldKeepWhatItHoldsWhenAMemberCannotGoOn() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    worker.stepTo(worker.launch == 1 ? 7 : 6);
                    if (worker.launch == 2) {
                        worker.say(new Message.Failed(FailureKind.INPUT, "a bad disk"));
                        worker.leave(1);
                    }
                });
        RunOutcome outcome = run.play(script);
        assertThat(outcome.failure()).isEqualTo(FailureKind.INPUT);
        assertThat(outcome.why()).isEqualTo("a bad disk");
        assertThat(outcome.step()).isEqualTo(7);
        assertThat(run.workers().worker(1).close).isEqualTo(new Message.Close(true, "a bad disk"));
        assertThat(run.steps()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(run.workers().launches()).as("nobody is started anew").isEqualTo(2);
        assertThat(run.seen()).as("the failure says it").doesNotContain("lost worker-2");
    }

    @Test
    void oneMemberShouldKeepWhatAllHoldWhenThereIsNoPlanForTheNextGroup() throws Exception {
        PlanSource even = new SharePlan(12, 1, List.of());
        PlanSource breaking =
                (group, version, committedStep) -> {
                    if (version > 1) {
                        throw new IllegalStateException("no plan");
                    }
                    return even.plan(group, version, committedStep);
                };
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    worker.stepTo(3);
                    Fault fault = new Fault(Fault.Kind.LINK, "worker-2", "a bad cable");
                    worker.say(new Message.Faulted(worker.epoch, 4, fault));
                });
        RunOutcome outcome = run.planned(breaking).play(script);
        assertThat(outcome.failure()).isEqualTo(FailureKind.BUG);
        assertThat(outcome.step()).isEqualTo(3);
        assertThat(keepers()).isEqualTo(1);
    }

    @Test
    void oneMemberShouldKeepWhatAllHoldWhenAWatcherThrows() {
        Acting script = Acting.idle();
        script.whenFormed((worker, view) -> worker.stepTo(3));
        assertThatThrownBy(() -> run.breakingAfter(3).play(script))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a callback");
        assertThat(keepers()).isEqualTo(1);
    }

    /** Whose state is right, nobody knows. */
    @Test
    void nobodyShouldKeepWhatHasDrifted() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    worker.stepTo(4);
                    String hash = "hash of " + worker.launch;
                    worker.say(new Message.Hashed(worker.epoch, 4, hash));
                });
        RunOutcome outcome = run.play(script);
        assertThat(outcome.failure()).isEqualTo(FailureKind.BUG);
        assertThat(keepers()).isZero();
    }

    /** How many were told to keep what they hold. */
    private long keepers() {
        return Stream.of(1, 2)
                .map(launch -> run.workers().worker(launch).close)
                .filter(close -> close != null && close.saveFirst())
                .count();
    }
}
