package dev.medley.control.watch;

import static dev.medley.control.watch.OfferedRun.LONG_NS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.ConfigException;
import dev.medley.control.coordinator.Acting;
import dev.medley.control.coordinator.CoordinatorOptions.Patience;
import dev.medley.control.launcher.Launching;
import dev.medley.control.watch.OfferedRun.Machine;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A machine that joins may take its time, and one whose worker came to nothing gets another. */
@Tag("real")
@Timeout(600)
class MachineStartsTest {
    private static final long SHORT_NS = TimeUnit.SECONDS.toNanos(30);

    @Test
    void whoTakesLongToFetchShouldTrainWhenItIsReady() throws Exception {
        try (OfferedRun run =
                new OfferedRun(1, 3, new Patience(LONG_NS, SHORT_NS, LONG_NS, SHORT_NS))) {
            Machine machine = run.offer("n1");
            Message.Launch launch = machine.next(Message.Launch.class);
            run.awaitBeats(machine);
            run.skip(3, TimeUnit.HOURS);
            run.awaitBeats(machine);
            machine.say(new Message.Started(launch.launch()));
            run.join(launch, Acting.training());
            assertThat(run.end().kind()).as(run.end().why()).isEqualTo(RunOutcome.Kind.COMPLETED);
            assertThat(run.seen().seen())
                    .doesNotContain("launched 2")
                    .contains(
                            "warned still waiting for worker-1 on n1, whose machine has been"
                                    + " fetching its files for 180 min");
        }
    }

    @Test
    void whoseProcessSaysNoHelloShouldGetAnother() throws Exception {
        try (OfferedRun run =
                new OfferedRun(1, 3, new Patience(LONG_NS, SHORT_NS, LONG_NS, SHORT_NS))) {
            Machine machine = run.offer("n1");
            Message.Launch launch = machine.next(Message.Launch.class);
            machine.say(new Message.Started(launch.launch()));
            run.awaitBeats(machine);
            run.skip(1, TimeUnit.MINUTES);
            assertAnotherTrainsInPlaceOf(launch, machine, run);
            assertThat(run.seen().seen())
                    .contains(
                            "warned worker-1 did not join within 30000 ms of its start: see its"
                                    + " log");
        }
    }

    @Test
    void whoDoesNotFetchInTimeShouldGetAnotherWorkerOnceItIsFree() throws Exception {
        try (OfferedRun run =
                new OfferedRun(1, 3, new Patience(SHORT_NS, SHORT_NS, LONG_NS, SHORT_NS))) {
            Machine machine = run.offer("n1");
            Message.Launch launch = machine.next(Message.Launch.class);
            run.awaitBeats(machine);
            run.skip(1, TimeUnit.MINUTES);
            assertAnotherTrainsInPlaceOf(launch, machine, run);
            assertThat(run.seen().seen())
                    .contains(
                            "warned worker-1 did not start within 30 s: its machine has not"
                                    + " fetched its files");
        }
    }

    /** The machine says that it is free only when it has heard that nobody waits. */
    private static void assertAnotherTrainsInPlaceOf(
            Message.Launch late, Machine machine, OfferedRun run) throws Exception {
        assertThat(machine.next(Message.Kill.class).launch()).isEqualTo(late.launch());
        machine.say(new Message.Exited(late.launch(), -1, "it was called off", ""));
        Message.Launch launch = machine.next(Message.Launch.class);
        assertThat(launch.launch()).isEqualTo(2);
        run.join(launch, Acting.training());
        assertThat(run.end().kind()).as(run.end().why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.seen().seen()).contains("restarted as 2");
    }

    /** It holds nothing, and would not hear of the end before it has loaded all. */
    @Test
    void whoIsWantedBackWhileItLoadsShouldBeEndedAtOnce() throws Exception {
        try (OfferedRun run =
                new OfferedRun(1, 3, new Patience(LONG_NS, LONG_NS, LONG_NS, LONG_NS))) {
            Machine machine = run.offer("n1");
            Message.Launch launch = machine.next(Message.Launch.class);
            CountDownLatch welcome = new CountDownLatch(1);
            run.join(launch, Acting.idle().whenWelcomed(worker -> welcome.countDown()));
            assertThat(welcome.await(120, TimeUnit.SECONDS)).isTrue();
            machine.say(new Message.Leaving("n1 is wanted back"));
            assertThat(machine.next(Message.Kill.class).launch()).isEqualTo(1);
            run.interrupt();
            assertThat(run.end().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        }
    }

    /** The machine is well, and so are the others. */
    @Test
    void whoseNeedsAreUnknownForAWhileShouldBeStartedLater() throws Exception {
        Launching.Needs needs =
                launch -> {
                    ConfigException.check(launch != 2, "the disk does not answer");
                    return Map.of();
                };
        try (OfferedRun run =
                new OfferedRun(1, 3, new Patience(LONG_NS, LONG_NS, LONG_NS, SHORT_NS), needs)) {
            Machine machine = run.offer("n1");
            Message.Launch first = machine.next(Message.Launch.class);
            machine.say(new Message.Exited(first.launch(), -1, "it ended", ""));
            run.awaitBeats(machine);
            run.skip(1, TimeUnit.SECONDS);
            Message.Launch launch = machine.next(Message.Launch.class);
            assertThat(launch.launch()).isEqualTo(3);
            run.join(launch, Acting.training());
            assertThat(run.end().kind()).as(run.end().why()).isEqualTo(RunOutcome.Kind.COMPLETED);
            assertThat(run.seen().seen())
                    .contains(
                            "warned what worker-2 needs could not be found out: the disk does not"
                                    + " answer");
        }
    }

    /** With each start a second goes by; from the second one on a machine listens. */
    private static final class LongStarts implements Launching.Needs {
        private final CompletableFuture<Machine> listening = new CompletableFuture<>();
        private final CompletableFuture<OfferedRun> during = new CompletableFuture<>();
        private final List<Integer> silent = new CopyOnWriteArrayList<>();

        @Override
        public Object of(int launch) {
            try {
                Machine first = listening.get(120, TimeUnit.SECONDS);
                if (launch > 1 && silent.isEmpty() && !first.hearsBeat()) {
                    silent.add(launch);
                }
                during.get(120, TimeUnit.SECONDS).skip(1, TimeUnit.SECONDS);
                return Map.of();
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void whoHasJoinedShouldHearSignsOfLifeWhileOthersAreStarted() throws Exception {
        LongStarts starts = new LongStarts();
        try (OfferedRun run =
                new OfferedRun(6, 3, new Patience(LONG_NS, LONG_NS, LONG_NS, LONG_NS), starts)) {
            starts.during.complete(run);
            Machine first = run.come("n1");
            for (int i = 2; i <= 6; i++) {
                Machine unused = run.come("n" + i);
            }
            starts.listening.complete(first);
            run.interrupt();
            assertThat(run.end().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        }
        assertThat(starts.silent).as("first start before which nothing was heard").isEmpty();
    }

    @Test
    void tooFewMachinesShouldNotBeWaitedForTooLong() throws Exception {
        try (OfferedRun run =
                new OfferedRun(2, 3, new Patience(LONG_NS, LONG_NS, LONG_NS, SHORT_NS))) {
            Machine machine = run.offer("n1");
            Message.Launch unused = machine.next(Message.Launch.class);
            run.skip(1, TimeUnit.MINUTES);
            assertThat(run.end().failure()).isEqualTo(FailureKind.INPUT);
            assertThat(run.end().why()).contains("1 of 2 machines have joined at", "30 s (n1)");
        }
    }
}
