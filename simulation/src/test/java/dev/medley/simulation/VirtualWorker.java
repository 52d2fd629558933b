package dev.medley.simulation;

import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.job.JobIdentity;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.record.entry.RunEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A worker process on virtual time, around the product's {@link Seat}. Its state is a hash of all
 * steps that it has applied, so that two states are equal exactly if the same steps were applied.
 */
final class VirtualWorker implements Network.Party {
    static final String VERSION = "1.2.3";
    static final JobIdentity JOB = new JobIdentity("simulated", "5f0c2a91");
    private static final long MILLI = 1_000_000;

    final int launch;
    final WorkerId id;
    final Seat seat;
    long state;
    long lineage; // Of the epochs in which its steps were taken.
    int epoch;
    int pausedEpoch;
    double nsOfASample;
    private final VirtualRun run;
    private final String host;
    private final Network.Connection connection;
    private final List<Message> backlog = new ArrayList<>();
    private boolean isAlive = true;
    private boolean isStopped; // As by SIGSTOP.
    private boolean isLeaving;
    private int lastStepEpoch;
    private List<WorkerStep> untold = new ArrayList<>();

    /** Begins from the newest checkpoint that the run has. */
    VirtualWorker(VirtualRun run, int launch, String host) {
        this.run = run;
        this.launch = launch;
        this.host = host;
        this.id = new WorkerId(launch);
        this.seat = new Seat(run.savedProgress());
        this.state = run.savedState();
        this.lineage = run.savedLineage();
        this.nsOfASample = MILLI * (1 + run.random().nextDouble());
        this.connection = run.network().connect(JoinSecret.Kind.RUN, this);
        say(new Message.Hello(VERSION, JOB.toString(), launch, 1));
    }

    boolean isAlive() {
        return isAlive;
    }

    /** Whether it does what it is told, and takes part in steps. */
    boolean isAtWork() {
        return isAlive && !isStopped && !isLeaving;
    }

    @Override
    public void received(Message message) {
        if (!isAlive) {
            return;
        }
        if (isStopped) {
            backlog.add(message);
        } else {
            handle(message);
        }
    }

    private void handle(Message message) {
        if (message instanceof Message.Welcome welcome) {
            beat(welcome.heartbeatNs());
            run.time().after(run.delay(30), () -> whenAtWork(this::ready));
        } else if (message instanceof Message.Form form) {
            tellSteps();
            if (seat.enter(form.view().group().epoch())) {
                epoch = form.view().group().epoch();
                run.entered(this, form.view());
            }
        } else if (message instanceof Message.Seal seal) {
            seal(seal.epoch());
        } else if (message instanceof Message.Pause pause) {
            pausedEpoch = Math.max(pausedEpoch, pause.epoch());
        } else if (message instanceof Message.Try alone) {
            long tookNs = (long) (alone.samples() * nsOfASample);
            run.time()
                    .after(
                            tookNs,
                            () ->
                                    whenAtWork(
                                            () ->
                                                    say(
                                                            new Message.TriedAlone(
                                                                    new Message.Tried(
                                                                            alone.samples(),
                                                                            tookNs)))));
        } else if (message instanceof Message.Probe probe) {
            run.time().after(run.delay(20), () -> whenAtWork(() -> answer(probe)));
        } else if (message instanceof Message.Close close) {
            leave(close.saveFirst());
        }
    }

    private void whenAtWork(Runnable action) {
        if (isAtWork()) {
            action.run();
        } else if (isAlive && isStopped) {
            run.time().after(run.delay(20), () -> whenAtWork(action));
        }
    }

    private void ready() {
        Member member = new Member(id, host, Member.NO_SITE, "127.0.0.1", 1000 + launch, "kernel");
        List<Message.Tried> tried =
                List.of(
                        new Message.Tried(4, (long) (4 * nsOfASample)),
                        new Message.Tried(8, (long) (8 * nsOfASample)));
        say(new Message.Ready(member, seat.progress(), MILLI, tried, List.of()));
    }

    private void beat(long everyNs) {
        if (isAtWork()) {
            say(new Message.Alive(seat.progress().step()));
            tellSteps();
        }
        if (isAlive && !isLeaving) {
            run.time().after(everyNs, () -> beat(everyNs));
        }
    }

    private void answer(Message.Probe probe) {
        Map<Integer, String> why = new TreeMap<>();
        for (Member other : probe.members()) {
            boolean reaches = run.reaches(id, other.worker());
            why.put(other.worker().value(), reaches ? "" : "nobody answers");
        }
        say(new Message.Probed(why));
    }

    /** Applies a step of its group; false if the group is sealed here. */
    boolean apply(int ofEpoch, long step, WorkerStep figures) {
        boolean isApplied =
                seat.apply(
                        ofEpoch,
                        new Progress(step, false),
                        () -> {
                            state = StateHash.next(state, step);
                            lineage = StateHash.next(lineage ^ ((long) ofEpoch << 40), step);
                        });
        if (isApplied) {
            untold.add(figures);
            lastStepEpoch = ofEpoch;
        }
        return isApplied;
    }

    /** Whether it has taken a step in its group: before the first it may hold another's past. */
    boolean hasStepped() {
        return lastStepEpoch == epoch;
    }

    /** Tells of its steps, a few at once. */
    private void tellSteps() {
        if (!untold.isEmpty()) {
            say(new Message.Steps(epoch, untold, List.of(), List.of()));
            untold = new ArrayList<>();
        }
    }

    /** Its group has come to its end. */
    void seal(int ofEpoch) {
        Progress progress = seat.seal(ofEpoch);
        tellSteps();
        say(new Message.Sealed(ofEpoch, progress));
    }

    /** Its group cannot go on. */
    void fault(int ofEpoch, String why) {
        Fault fault = new Fault(Fault.Kind.LINK, id.toString(), id + ": " + why);
        long step = Math.max(0, seat.progress().step() + 1);
        whenAtWork(() -> say(new Message.Faulted(ofEpoch, step, fault)));
    }

    /** It has nothing left to do. */
    void finish() {
        long step = seat.progress().step();
        tellSteps();
        say(new Message.Finished(epoch, step, Long.toHexString(state), "the budget is used up"));
    }

    /** Writes a checkpoint, and says so; it may die meanwhile. */
    void keep() {
        Progress progress = seat.progress();
        long held = state;
        long history = lineage;
        run.time()
                .after(
                        run.delay(60),
                        () -> {
                            if (isAlive && !isStopped) {
                                run.save(progress, held, history);
                                say(new Message.Noted("event", kept(progress.step())));
                            }
                        });
    }

    private static tools.jackson.databind.JsonNode kept(long step) {
        return Json.tree(RunEvent.checkpoint(0, step, "kept", 0, 0, 0));
    }

    private void leave(boolean saveFirst) {
        if (isLeaving) {
            return;
        }
        isLeaving = true;
        tellSteps();
        boolean diesOverIt = run.random().nextInt(4) == 0;
        run.time()
                .after(
                        run.delay(saveFirst ? 60 : 5),
                        () -> {
                            if (!isAlive) {
                                return;
                            }
                            if (saveFirst && diesOverIt) {
                                die(137, "");
                                return;
                            }
                            if (saveFirst) {
                                run.save(seat.progress(), state, lineage);
                                say(new Message.Noted("event", kept(seat.progress().step())));
                            }
                            connection.hangUp();
                            end(0, "");
                        });
    }

    /** As where the coordinator, or the way to it, is gone. */
    @Override
    public void cutOff() {
        end(1, "");
    }

    /** Is killed, by somebody or for want of memory: connection and process end, in any order. */
    void die(int code, String outOfMemory) {
        if (isAlive) {
            connection.tear();
            end(code, outOfMemory);
        }
    }

    /** The connection to the coordinator breaks; the process finds out. */
    void tear() {
        connection.tear();
    }

    private void end(int code, String outOfMemory) {
        if (isAlive) {
            isAlive = false;
            run.time().after(run.delay(10), () -> run.exited(this, code, outOfMemory));
        }
    }

    /** Does nothing for so long, and knows nothing of it. */
    void stopFor(long ns) {
        if (isAlive && !isStopped) {
            isStopped = true;
            run.time()
                    .after(
                            ns,
                            () -> {
                                isStopped = false;
                                List<Message> missed = List.copyOf(backlog);
                                backlog.clear();
                                missed.forEach(this::received);
                            });
        }
    }

    private void say(Message message) {
        connection.say(message);
    }

    @Nullable Progress progressIfAlive() {
        return isAlive && !isStopped ? seat.progress() : null;
    }
}
