package dev.medley.control.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.control.coordinator.Acting;
import dev.medley.control.coordinator.CoordinatedRun;
import dev.medley.control.coordinator.FakeWorkers.Worker;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.plan.policy.MemoryCaps;
import dev.medley.plan.source.CappedPlan;
import dev.medley.plan.source.SharePlan;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that come while others train, and cannot take part: that is no end of the others. */
@Tag("real")
@Timeout(600)
class NewcomersTest {
    private final CoordinatedRun run = new CoordinatedRun();

    @Test
    void oneThatCannotUseItsMachineShouldBeOneThatIsLost() throws Exception {
        assertThatTheOthersGoOn(failing(FailureKind.INPUT), "why it cannot");
    }

    @Test
    void oneThatMeetsABugWhileItLoadsShouldBeOneThatIsLost() throws Exception {
        assertThatTheOthersGoOn(failing(FailureKind.BUG), "why it cannot");
    }

    @Test
    void oneWithoutMemoryForTheModelShouldBeOneThatIsLost() throws Exception {
        assertThatTheOthersGoOn(failing(FailureKind.OUT_OF_MEMORY), "why it cannot");
    }

    @Test
    void oneThatTheKernelKillsWhileItLoadsShouldBeOneThatIsLost() throws Exception {
        assertThatTheOthersGoOn(worker -> worker.runOutOfMemory("it was killed"), "it was killed");
    }

    private static Consumer<Worker> failing(FailureKind kind) {
        return worker -> {
            worker.say(new Message.Failed(kind, "why it cannot"));
            worker.leave(1);
        };
    }

    /** The third comes in the place of the second and has that trouble; the fourth trains. */
    private void assertThatTheOthersGoOn(Consumer<Worker> trouble, String why) throws Exception {
        Acting script =
                Acting.idle()
                        .whenWelcomed(
                                worker -> {
                                    if (worker.launch == 3) {
                                        trouble.accept(worker);
                                    } else {
                                        worker.ready();
                                    }
                                })
                        .whenFormed(
                                (worker, view) -> {
                                    if (worker.launch == 2) {
                                        worker.leave(1);
                                    } else if (view.group().size() == 2
                                            && view.group().epoch() > 1) {
                                        Acting.train(worker);
                                    }
                                });
        RunOutcome outcome =
                run.on(2, 2)
                        .planned(
                                new CappedPlan(
                                        new SharePlan(12, 1, List.of()), MemoryCaps.unknown()))
                        .play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.workers().launches()).as("one in the place of each").isEqualTo(4);
        assertThat(run.seen())
                .contains("lost worker-3", "warned A worker cannot take part: " + why);
    }
}
