package dev.medley.simulation;

import dev.medley.base.WorkerId;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Event;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.Progress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Has things go wrong in a run: crashes, memory that runs out, silences, pauses, broken
 * connections, cut and slow links, slow machines, machines that are wanted back, strangers, sleep,
 * and the user's interrupt.
 */
final class Faults {
    /** Callers with higher numbers are strangers. */
    static final long STRANGERS = 1_000_000;

    private static final long MILLI = 1_000_000;
    private static final long LONGEST_SLEEP_MILLIS = 100_000;
    private static final long FOREVER_NS = 1_000_000_000_000L;
    private static final int MOST_CRASHES = 16;

    private final VirtualRun run;
    private final RandomGenerator random;
    private final long seed;
    private final Map<WorkerId, Double> slowness = new HashMap<>();
    private final Map<WorkerId, Double> linkSlowness = new HashMap<>();
    private final Set<WorkerId> maySilent = new HashSet<>();
    private final Set<WorkerId> everCut = new HashSet<>();
    private int crashesLeft;
    private boolean ranOutOfMemory;
    private boolean coordinatorWasStopped;
    private boolean hasInterrupted;
    private @Nullable WorkerId cutOne;
    private @Nullable WorkerId cutOther; // Null where the one reaches nobody.
    private long strangers = STRANGERS;

    Faults(VirtualRun run, long seed) {
        this.run = run;
        this.seed = seed;
        this.random = run.random();
        this.crashesLeft = (int) (seed % (MOST_CRASHES + 1));
    }

    void begin() {
        again(250, this::crash);
        again(700, this::stopAWorker);
        again(900, this::breakAConnection);
        again(1500, this::cut);
        again(500, this::changeSpeed);
        again(800, this::slowALink);
        again(300, this::sayStrangely);
        if (seed % 3 == 0) {
            run.time().after(run.delay(900), this::sleep);
        }
        if (seed % 4 == 1) {
            again(1200, this::stopTheCoordinator);
        }
        if (run.isOffered()) {
            again(1500, this::changeMachines);
        }
        if (seed % 7 == 3) {
            run.time().after(run.delay(4000), this::interrupt);
        }
    }

    private void again(int maxMillis, Runnable fault) {
        run.time()
                .after(
                        run.delay(maxMillis),
                        () -> {
                            fault.run();
                            again(maxMillis, fault);
                        });
    }

    /** The machine is suspended for much longer than anybody may be silent. */
    private void sleep() {
        run.time().sleep(random.nextLong(LONGEST_SLEEP_MILLIS * MILLI));
        run.time().after(500 * MILLI + run.delay(900), this::sleep);
    }

    private @Nullable VirtualWorker anybody() {
        List<VirtualWorker> living = run.living();
        return living.isEmpty() ? null : living.get(random.nextInt(living.size()));
    }

    /** Now and then for want of memory. */
    private void crash() {
        VirtualWorker victim = anybody();
        if (victim != null && crashesLeft > 0) {
            crashesLeft--;
            boolean isOutOfMemory =
                    !ranOutOfMemory
                            && victim.epoch > 0
                            && victim.isAtWork()
                            && random.nextInt(5) == 0;
            ranOutOfMemory |= isOutOfMemory; // Again and again would end a run, as it should.
            victim.die(137, isOutOfMemory ? victim.id + " ran out of memory" : "");
        }
    }

    /** For a while, or for good: it does not say which. */
    private void stopAWorker() {
        VirtualWorker victim = anybody();
        if (victim != null && crashesLeft > 0) {
            boolean isForGood = random.nextInt(3) == 0;
            crashesLeft -= isForGood ? 1 : 0;
            maySilent.add(victim.id);
            victim.stopFor(isForGood ? FOREVER_NS : run.delay(500));
        }
    }

    private void breakAConnection() {
        VirtualWorker victim = anybody();
        if (victim != null && crashesLeft > 0) {
            crashesLeft--;
            victim.tear();
        }
    }

    /** Two workers do not reach each other, or one reaches nobody; both reach the coordinator. */
    private void cut() {
        VirtualWorker one = anybody();
        VirtualWorker other = anybody();
        if (one != null && other != null && one != other && cutOne == null) {
            cutOne = one.id;
            everCut.add(one.id);
            everCut.add(other.id);
            cutOther = random.nextBoolean() ? other.id : null;
            run.time().after(400 * MILLI + run.delay(600), () -> cutOne = null);
        }
    }

    /** Whether others may have gone on without a worker that could not be reached. */
    boolean wasCut(WorkerId worker) {
        return everCut.contains(worker);
    }

    boolean reaches(WorkerId one, WorkerId other) {
        WorkerId alone = cutOne;
        if (alone == null || one.equals(other)) {
            return true;
        }
        WorkerId from = cutOther;
        boolean isIt = one.equals(alone) || other.equals(alone);
        return from == null ? !isIt : !(isIt && (one.equals(from) || other.equals(from)));
    }

    private void changeSpeed() {
        VirtualWorker worker = anybody();
        if (worker != null) {
            slowness.put(worker.id, random.nextInt(3) == 0 ? 6.0 : 1.0);
        }
    }

    double slowness(WorkerId worker) {
        return slowness.getOrDefault(worker, 1.0);
    }

    private void slowALink() {
        VirtualWorker worker = anybody();
        if (worker != null) {
            linkSlowness.put(worker.id, random.nextInt(3) == 0 ? 20.0 : 1.0);
        }
    }

    double linkSlowness(WorkerId worker) {
        return linkSlowness.getOrDefault(worker, 1.0);
    }

    /** Somebody says what nobody asked for, with the secret of a worker or of an agent. */
    private void sayStrangely() {
        JoinSecret.Kind kind = random.nextBoolean() ? JoinSecret.Kind.RUN : JoinSecret.Kind.CLUSTER;
        int any = 1 + random.nextInt(20);
        List<Message> words =
                List.of(
                        new Message.Alive(any),
                        new Message.Hello("0.1", "another", any, 1),
                        new Message.Sealed(any, new Progress(any, false)),
                        new Message.Steps(any, List.of(), List.of(), List.of()),
                        new Message.Finished(any, any, "hash", "over"),
                        new Message.Exited(any, 0, "", ""),
                        new Message.Started(any),
                        new Message.Present());
        Message word = words.get(random.nextInt(words.size()));
        if (!(word instanceof Message.Hello)) {
            run.deliverOfStranger(new Event.Said(new CallerId(++strangers, kind), word));
        }
    }

    private void stopTheCoordinator() {
        coordinatorWasStopped = true;
        run.stopCoordinator(run.delay(1000));
    }

    private void changeMachines() {
        List<VirtualMachine> there = run.machines().stream().filter(m -> !m.isGone()).toList();
        if (there.size() < 2 || there.size() < 6 && random.nextBoolean()) {
            run.offer();
        } else if (random.nextInt(3) == 0) {
            there.get(random.nextInt(there.size())).vanish();
        } else {
            there.get(random.nextInt(there.size())).wantBack();
        }
    }

    private void interrupt() {
        hasInterrupted = true;
        run.interrupt();
    }

    boolean hasInterrupted() {
        return hasInterrupted;
    }

    /**
     * Whether a worker, or the way from it, was made silent; late messages alone do not do that.
     */
    boolean mayBeSilent(WorkerId worker) {
        return maySilent.contains(worker) || coordinatorWasStopped;
    }
}
