package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.control.watch.RunOutcome;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that are to end before they are done. */
@Tag("real")
@Timeout(600)
class CoordinatorInterruptTest {
    private final CoordinatedRun run = new CoordinatedRun();

    @Test
    void anInterruptShouldPauseSaveOnceAndLeave() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    worker.stepTo(3);
                    if (worker.launch == 2) {
                        run.interrupt();
                    }
                });
        RunOutcome outcome = run.play(script);
        FakeWorkers workers = run.workers();
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
        Acting script = Acting.idle().whenFormed(1, worker -> run.interrupt());
        RunOutcome outcome = run.play(script.whenPaused(worker -> run.interrupt()));
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        assertThat(outcome.why()).contains("interrupted twice");
    }

    @Test
    void anInterruptBeforeTheFirstStepShouldEndAtOnce() throws Exception {
        RunOutcome outcome = run.play(Acting.idle().whenWelcomed(worker -> run.interrupt()));
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        assertThat(outcome.why()).isEqualTo("interrupted before the first step");
        assertThat(outcome.step()).isZero();
    }

    /** The member that was to report is lost, and the one that follows it has nothing to save. */
    @Test
    void anInterruptShouldNotWaitForWhoIsStillLoading() throws Exception {
        CountDownLatch oneIsLeft = new CountDownLatch(1);
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    worker.stepTo(3);
                    if (worker.launch == 1) {
                        worker.leave(1);
                    }
                    if (view.group().size() == 1) {
                        oneIsLeft.countDown();
                    }
                });
        script.whenPaused(worker -> worker.leave(1));
        script.whenWelcomed(
                worker -> {
                    if (worker.launch <= 2) {
                        worker.ready();
                    } else if (worker.launch == 3) {
                        worker.beatFor(TimeUnit.HOURS.toMillis(1));
                        awaited(oneIsLeft);
                        run.interrupt();
                    }
                });
        RunOutcome outcome = run.play(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        assertThat(outcome.why()).isEqualTo("interrupted with no worker left");
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anInterruptWhileAllAreLostShouldEndAtOnceAfterTheStepsThatTheyTook() throws Exception {
        Acting script = Acting.idle();
        script.whenFormed(
                (worker, view) -> {
                    worker.stepTo(3);
                    worker.leave(1);
                });
        script.whenWelcomed(
                worker -> {
                    if (worker.launch <= 2) {
                        worker.ready();
                    } else if (worker.launch == 4) {
                        run.interrupt();
                    }
                });
        RunOutcome outcome = run.play(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        assertThat(outcome.why()).isEqualTo("interrupted with no worker left");
        assertThat(outcome.step()).isEqualTo(3);
    }
}
