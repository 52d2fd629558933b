package dev.medley.control.coordinator;

import static dev.medley.net.control.ProtocolException.check;

import dev.medley.base.WorkerId;
import dev.medley.control.coordinator.Machines.Consequence;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Effect.Manner;
import dev.medley.control.event.Event;
import dev.medley.control.launcher.Launcher.Exit;
import dev.medley.control.launcher.Launching;
import dev.medley.control.watch.MessageCheck;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher.LaunchCause;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.DismissalKind;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.Membership;
import dev.medley.plan.source.PlanSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Coordinates one run as a state machine without threads, clocks or sockets: it starts the run's
 * workers, forms their groups, replaces lost workers, and ends when the members report that the run
 * is finished. Events come in, each with one reading of the clock, and what is to be done goes out
 * as effects. The same events give the same effects.
 *
 * <pre>
 *   RUNNING --outcome known--> KEEPING --what members hold is kept--> LEAVING --all gone--> DONE
 * </pre>
 *
 * <p>Thread: one owner; {@link Coordinator} drives it on a thread.
 */
public final class Chair {
    private final CoordinatorState state;
    private final WorkerMessages workers;
    private final GroupActions groups;
    private final Heartbeats heartbeats;
    private final Farewell farewell;
    private Phase phase = Phase.RUNNING;
    private @Nullable RunOutcome outcome;

    private enum Phase {
        RUNNING,
        KEEPING,
        LEAVING,
        DONE
    }

    /**
     * A coordinator that has not begun.
     *
     * @param options patience and limits
     * @param assignment handed to every worker that comes, as it is then
     * @param launching how workers are started
     * @param plans decides how groups train
     */
    public Chair(
            CoordinatorOptions options,
            Supplier<JsonNode> assignment,
            Launching launching,
            PlanSource plans) {
        state = new CoordinatorState(options, launching, plans, this::stepped);
        workers = new WorkerMessages(state, new Admission(options, assignment));
        groups = new GroupActions(state);
        heartbeats =
                new Heartbeats(
                        state.roster,
                        state.machines,
                        state.merger,
                        state.effects,
                        state.time,
                        options.cluster().heartbeatNs());
        farewell = new Farewell(state, workers);
    }

    /**
     * Something has happened.
     *
     * @param awakeNs time of it, which never goes back; see {@link
     *     dev.medley.base.time.Clock#awakeNs}
     * @param wallMillis the same, as people tell time
     * @return what is to be done about it, in order
     */
    public List<Effect> on(Event event, long awakeNs, long wallMillis) {
        state.time.read(awakeNs, wallMillis);
        if (phase == Phase.LEAVING) {
            farewell.hear(event);
        } else if (phase != Phase.DONE) {
            handle(event);
            groups.act();
            heartbeats.beat();
        }
        advance();
        return state.effects.take();
    }

    /** How long nothing is due if nothing happens, in ns. */
    public long waitNs(long awakeNs) {
        if (phase == Phase.LEAVING) {
            return farewell.waitNs(awakeNs);
        }
        long beatNs = heartbeats.nextNs() - awakeNs;
        long tickNs = state.membership.nextTickNs(awakeNs);
        return Math.min(Math.min(beatNs, tickNs), groups.waitNs(awakeNs));
    }

    /** Whether the outcome is known and what members hold is kept: nothing new counts. */
    boolean isOver() {
        return phase == Phase.LEAVING || phase == Phase.DONE;
    }

    /** How the run ended, once all workers have left; null before. */
    public @Nullable RunOutcome outcome() {
        return outcome;
    }

    /** Sends agents home, whatever has become of the run. */
    List<Effect> dismiss() {
        List<Effect> unused = state.effects.take(); // Of an event that broke off.
        state.machines.dismiss(farewell(outcome));
        return state.effects.take();
    }

    /** Without an outcome something broke off in this process. */
    private static Message.Dismissed farewell(@Nullable RunOutcome outcome) {
        RunOutcome.Kind kind = outcome == null ? RunOutcome.Kind.INTERRUPTED : outcome.kind();
        return switch (kind) {
            case COMPLETED -> new Message.Dismissed(DismissalKind.DONE, "the run is over");
            case FAILED -> new Message.Dismissed(DismissalKind.DONE, "the run failed");
            case INTERRUPTED ->
                    new Message.Dismissed(
                            DismissalKind.BROKEN_OFF, "the run is over, and may be gone on with");
        };
    }

    private void advance() {
        if (phase == Phase.RUNNING && state.verdict.isKnown()) {
            phase = Phase.KEEPING;
            state.lastCheckpoint.begin();
            groups.act();
        }
        if (phase == Phase.KEEPING && state.lastCheckpoint.isOver()) {
            phase = Phase.LEAVING;
            state.effects.add(new Effect.CloseDoor()); // Agents that come find the next run.
            farewell.begin(Objects.requireNonNull(state.verdict.outcome()));
        }
        if (phase == Phase.LEAVING && farewell.isOver()) {
            phase = Phase.DONE;
            outcome = state.verdict.last();
            state.watcher.ended(outcome);
        }
    }

    private void handle(Event event) {
        if (event instanceof Event.Said said) {
            take(said);
        } else if (event instanceof Event.HungUp hungUp) {
            hungUp(hungUp);
        } else if (event instanceof Event.Exited exited) {
            exited(exited.exit());
        } else if (event instanceof Event.TimePassed) {
            checkDeadlines(state.time.awakeNs());
        } else if (event instanceof Event.Launched launched) {
            state.watcher.launched(launched.launch(), state.starts.launched(launched.launch()));
        } else if (event instanceof Event.NotLaunched not) {
            state.crew.notLaunched(not.launch(), not.why());
        } else if (event instanceof Event.Interrupted) {
            groups.interrupt();
        } else if (event instanceof Event.Unreadable unreadable) {
            WorkerId worker = state.roster.worker(unreadable.by());
            state.crew.misspoke(worker, unreadable.message(), unreadable.why());
            state.effects.hangUp(unreadable.by(), Manner.AT_ONCE);
        } else if (event instanceof Event.Broken broken) {
            state.verdict.fail(FailureKind.BUG, broken.what());
        } else if (event instanceof Event.Opened opened) {
            state.machines.listening(opened.at());
            for (int i = 0; i < state.options.cluster().workers(); i++) {
                if (!state.machines.areOffered()) {
                    state.crew.launch(LaunchCause.BEGINNING);
                }
            }
        }
    }

    /** What a caller says, and what follows from it, ends at most its own connection. */
    private void take(Event.Said said) {
        boolean isWorker = state.roster.worker(said.by()) != null;
        try {
            hear(said.by(), said.message());
            if (isWorker) {
                groups.act();
            }
        } catch (RuntimeException e) {
            state.crew.misspoke(state.roster.worker(said.by()), said.message(), e);
            state.effects.hangUp(said.by(), Manner.AT_ONCE);
        }
    }

    private void hear(CallerId from, Message message) {
        MessageCheck.requireKind(from.kind(), message);
        WorkerId worker = state.roster.worker(from);
        if (message instanceof Message.Hello hello) {
            workers.greet(from, hello);
        } else if (message instanceof Message.FromAgent said) {
            check(worker == null, "a worker says what agents do");
            follow(state.machines.hear(from, said));
        } else if (worker == null) {
            throw new ProtocolException(message.getClass().getSimpleName() + " before hello");
        } else {
            workers.hear(worker, message);
        }
    }

    private void follow(Consequence consequence) {
        if (consequence instanceof Consequence.Room) {
            state.crew.launchWhereThereIsRoom();
        } else if (consequence instanceof Consequence.Leave leave) {
            WorkerId worker = state.roster.worker(leave.launch());
            if (worker == null) {
                state.machines.kill(leave.launch());
            } else {
                state.membership.leave(worker, worker + " leaves: " + leave.why());
            }
        } else if (consequence instanceof Consequence.Begun begun) {
            state.starts.processBegan(begun.launch());
        } else if (consequence instanceof Consequence.Ended ended) {
            exited(ended.exit());
        }
    }

    private void exited(Exit exit) {
        state.crew.exited(exit);
        if (exit.code() < 0) {
            state.parted(new WorkerId(exit.launch())); // Its machine is gone.
        }
    }

    private void hungUp(Event.HungUp event) {
        Agents.Gone agent = state.machines.hungUp(event.by());
        if (agent != null) {
            gone(agent);
            return;
        }
        WorkerId worker = state.roster.worker(event.by());
        Integer launch = worker == null ? null : state.roster.launch(worker);
        boolean hasLeft = worker != null && state.released.remove(worker);
        boolean isStopped = state.membership.phase() == Membership.Phase.STOPPED;
        if (worker == null || launch == null || isStopped || hasLeft) {
            state.roster.hungUp(event.by());
            if (worker != null) {
                state.membership.left(worker);
            }
            if (launch != null) {
                state.crew.parted(launch);
            }
            if (worker != null && hasLeft) {
                state.parted(worker);
            }
        } else {
            state.crew.hungUp(worker, launch, event.why());
        }
    }

    private void gone(Agents.Gone agent) {
        Exit exit = agent.exit();
        if (exit != null) {
            exited(exit);
        }
    }

    private void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {
        workers.stepped(epoch, steps);
    }

    private void checkDeadlines(long nowNs) {
        state.membership.tick(nowNs);
        groups.formWhatIsHeld();
        state.partition.tick(nowNs);
        String why = state.firstGroup.begins(nowNs);
        if (why != null) {
            state.watcher.remarked(why);
            state.membership.expect(state.firstGroup.size());
        }
        if (state.membership.members().isEmpty()) {
            state.machines.lostAll();
        }
        for (CallerId silent : state.machines.silent(nowNs)) {
            gone(Objects.requireNonNull(state.machines.hungUp(silent)));
        }
        String alone = state.machines.check(nowNs);
        if (alone != null) {
            state.verdict.fail(FailureKind.INPUT, alone);
        }
        state.crew.checkDeadlines(nowNs);
        state.starts
                .slow(nowNs)
                .forEach(slow -> state.watcher.warned(slow.sentence(state.named(slow.launch()))));
        if (state.interruption.isSaveOverdue(nowNs)) {
            state.verdict.end(
                    RunOutcome.Kind.INTERRUPTED,
                    "interrupted; the last checkpoint could not be written in time");
        }
    }
}
