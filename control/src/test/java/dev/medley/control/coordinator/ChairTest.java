package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.job.JoinSpec;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Effect.Manner;
import dev.medley.control.event.Event;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.Progress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The coordinator, event by event, on the test's own time. */
@Tag("unit")
class ChairTest {
    @Test
    void groupsThatNeverComeToAStepShouldEndTheRun() {
        ChairedRun run = new ChairedRun(2, 3, JoinSpec.Begin.ALL).begin();
        run.join(1);
        run.join(2);
        Fault fault = new Fault(Fault.Kind.LINK, "worker-2", "a bad cable");
        for (int groups = 0; run.outcome() == null && groups < 30; groups++) {
            int epoch = run.view().group().epoch();
            run.say(1, new Message.Faulted(epoch, 1, fault));
            run.say(1, new Message.Sealed(epoch, ChairedRun.BEGINNING));
            run.say(2, new Message.Sealed(epoch, ChairedRun.BEGINNING));
            run.pass(1, TimeUnit.SECONDS); // Groups in vain follow each other slowly.
            if (run.view().group().epoch() == epoch) {
                leave(run);
            }
        }
        RunOutcome outcome = run.outcome();
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(outcome.why())
                .contains("groups in a row ended without a step after step 0")
                .contains("a bad cable");
        List<String> warned = run.told("warned");
        assertThat(warned).as("after 1, 2, 4, 8 and 16 groups").hasSize(5);
        assertThat(warned.get(0)).isEqualTo("A group took no step: worker-1: a bad cable");
        assertThat(warned.get(4))
                .isEqualTo(
                        "16 groups in a row took no step; in the last one worker-1: a bad cable");
    }

    /** The run is about to end: the members hang up when they are told. */
    private static void leave(ChairedRun run) {
        run.hangUp(1);
        run.hangUp(2);
        run.pass(10, TimeUnit.MINUTES);
    }

    @Test
    void aWorkerThatTakesMuchLongerToBeReadyShouldJoinLater() {
        ChairedRun run = new ChairedRun(3, 0, JoinSpec.Begin.MOST).begin();
        run.join(1);
        run.join(2);
        run.greet(3);
        assertThat(run.view()).isNull();
        run.pass(6, TimeUnit.SECONDS);
        assertThat(run.view().group().size()).isEqualTo(2);
        assertThat(run.told("remarked"))
                .containsExactly(
                        "training begins: 2 of 3 workers are ready, and no other was within 5.0 s;"
                                + " later ones join");
        run.ready(3);
        int epoch = run.view().group().epoch();
        run.say(1, new Message.Sealed(epoch, new Progress(4, false)));
        run.say(2, new Message.Sealed(epoch, new Progress(4, false)));
        assertThat(run.view().group().size()).isEqualTo(3);
        assertThat(run.view().behind()).containsExactly(2);
    }

    @Test
    void whoSaysWhatItMayNotShouldLoseItsConnectionAlone() {
        ChairedRun run = new ChairedRun(2, 3, JoinSpec.Begin.ALL).begin();
        run.join(1);
        run.join(2);
        CallerId stranger = new CallerId(99, JoinSecret.Kind.RUN);
        for (Message strange :
                List.of(
                        new Message.Alive(1),
                        new Message.Present(),
                        new Message.Hello("1", "another", 77, 1),
                        new Message.Finished(1, 8, "hash", "over"))) {
            assertThat(run.hear(new Event.Said(stranger, strange)))
                    .as("after %s", strange)
                    .containsExactly(new Effect.HangUp(stranger, Manner.AT_ONCE));
        }
        assertThat(run.outcome()).isNull();
        assertThat(run.told("lost")).isEmpty();
    }

    @Test
    void whatTheWatcherCannotReadShouldCostItsSender() {
        ChairedRun run = new ChairedRun(2, 3, JoinSpec.Begin.ALL).begin();
        run.join(1);
        run.join(2);
        Message unreadable = new Message.Alive(1);
        Event event = new Event.Unreadable(ChairedRun.caller(2), unreadable, "no number");
        assertThat(run.hear(event))
                .contains(new Effect.HangUp(ChairedRun.caller(2), Manner.AT_ONCE));
        assertThat(run.told("warned"))
                .containsExactly("worker-2 said Alive, which could not be taken: no number");
    }

    @Test
    void whatMembersHoldShouldBeKeptBeforeABrokenRunEnds() {
        ChairedRun run = new ChairedRun(2, 3, JoinSpec.Begin.ALL).begin();
        run.join(1);
        run.join(2);
        int epoch = run.view().group().epoch();
        run.say(1, steps(epoch));
        run.say(2, steps(epoch));
        run.hear(new Event.Broken("a callback"));
        run.say(1, new Message.Sealed(epoch, new Progress(1, false)));
        run.say(2, new Message.Sealed(epoch, new Progress(1, false)));
        assertThat(run.saidTo(1)).contains(new Message.Close(true, "a callback"));
        assertThat(run.saidTo(2)).contains(new Message.Close(false, "a callback"));
        run.hangUp(2);
        assertThat(run.outcome()).as("the other still writes").isNull();
        run.hangUp(1);
        assertThat(run.outcome().failure()).isEqualTo(FailureKind.BUG);
        assertThat(run.outcome().step()).isEqualTo(1);
        assertThat(run.told("ended")).hasSize(1);
    }

    @Test
    void aRunShouldBeginWithThoseThatCouldBeStarted() {
        ChairedRun run = new ChairedRun(3, 0, JoinSpec.Begin.ALL).starting(l -> l != 1).begin();
        assertThat(run.told("warned")).containsExactly("cannot fork");
        assertThat(run.told("launched")).containsExactly("2", "3");
        run.join(2);
        run.join(3);
        assertThat(run.view().group().size()).isEqualTo(2);
    }

    @Test
    void aRunOfWhichNobodyCanBeStartedShouldEnd() {
        ChairedRun run = new ChairedRun(2, 1, JoinSpec.Begin.ALL).starting(launch -> false).begin();
        run.pass(1, TimeUnit.SECONDS);
        assertThat(run.outcome().failure()).isEqualTo(FailureKind.INPUT);
        assertThat(run.outcome().why()).contains("cannot fork");
    }

    private static Message steps(int epoch) {
        WorkerStep step = new WorkerStep(1, 1, 1, 1, 1, 8, 4, 0, 1, 1, 0, 0, 0, 0, 0, 0, null);
        return new Message.Steps(epoch, List.of(step), List.of(), List.of());
    }
}
