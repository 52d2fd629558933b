package dev.medley.control.watch;

import static dev.medley.control.watch.OfferedRun.LONG_NS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.control.coordinator.Acting;
import dev.medley.control.coordinator.CoordinatorOptions.Patience;
import dev.medley.control.coordinator.FakeWorkers.Worker;
import dev.medley.control.watch.OfferedRun.Machine;
import dev.medley.net.control.Message;
import dev.medley.record.entry.RunEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The last machine leaves while the one that comes in its place still loads. */
@Tag("real")
@Timeout(600)
class HandoverTest {
    private static final Patience PATIENCE = new Patience(LONG_NS, LONG_NS, LONG_NS, LONG_NS);

    @Test
    void nothingShouldBeComputedTwiceBecauseAnotherLoadedBeforeTheLastCheckpoint()
            throws Exception {
        try (OfferedRun run = new OfferedRun(1, 0, PATIENCE)) {
            Machine first = run.offer("n1");
            CompletableFuture<Worker> training = new CompletableFuture<>();
            CompletableFuture<Worker> closing = new CompletableFuture<>();
            run.join(
                    first.next(Message.Launch.class),
                    Acting.idle()
                            .whenFormed(
                                    (worker, view) -> {
                                        worker.stepTo(4);
                                        training.complete(worker);
                                    })
                            .whenClosed(closing::complete));
            Machine second = run.offer("n2");
            CompletableFuture<Worker> loading = new CompletableFuture<>();
            run.join(
                    second.next(Message.Launch.class),
                    Acting.training().whenWelcomed(loading::complete));
            loading.get(120, TimeUnit.SECONDS);
            training.get(120, TimeUnit.SECONDS);
            first.say(new Message.Leaving("n1 is wanted back"));
            Worker last = closing.get(120, TimeUnit.SECONDS);
            assertThat(last.close.saveFirst()).isTrue();

            loading.get().step = 2; // Of the checkpoint before.
            loading.get().ready();
            run.awaitBeats(second);
            assertThat(run.seen().views()).hasSize(1);

            last.say(
                    new Message.Noted(
                            "event", Json.tree(RunEvent.checkpoint(0, 4, "kept", 0, 0, 0))));
            last.leave(0);
            assertThat(second.next(Message.Kill.class).launch()).isEqualTo(2);
            second.say(new Message.Exited(2, 137, "", ""));
            run.join(
                    second.next(Message.Launch.class),
                    Acting.training()
                            .whenWelcomed(
                                    worker -> {
                                        worker.step = 4;
                                        worker.ready();
                                    }));
            assertThat(run.end().kind()).as(run.end().why()).isEqualTo(RunOutcome.Kind.COMPLETED);
            assertThat(run.seen().views())
                    .extracting(view -> view.committed().step())
                    .containsExactly(0L, 4L);
        }
    }
}
