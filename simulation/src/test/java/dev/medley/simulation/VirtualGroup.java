package dev.medley.simulation;

import dev.medley.base.Member;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A group of workers on virtual time, from its forming to its last step. Its members meet, those
 * behind copy the state, then all step together until one is missing or the coordinator ends it.
 */
final class VirtualGroup {
    private static final long MILLI = 1_000_000;
    private static final long PATIENCE_NS = 250 * MILLI;
    private static final long LOOK_NS = 10 * MILLI;
    private static final int CHECKPOINT_EVERY = 10;

    private final VirtualRun run;
    private final View view;
    private final int epoch;
    private final Map<Integer, VirtualWorker> byRank = new LinkedHashMap<>();
    private long waitedNs;
    private long lastStep;
    private boolean isOver;

    VirtualGroup(VirtualRun run, View view) {
        this.run = run;
        this.view = view;
        this.epoch = view.group().epoch();
        this.lastStep = view.committed().step();
        run.time().after(LOOK_NS, this::meet);
    }

    void entered(VirtualWorker worker) {
        byRank.put(view.group().rankOf(worker.id), worker);
    }

    private boolean isWhole() {
        return byRank.size() == view.group().size()
                && byRank.values().stream().allMatch(w -> w.isAtWork() && w.epoch == epoch)
                && run.allReach(view.group());
    }

    private void meet() {
        if (isWhole()) {
            run.time().after(run.delay(view.behind().isEmpty() ? 10 : 30), this::copy);
        } else if (isStillWaiting()) {
            run.time().after(LOOK_NS, this::meet);
        } else {
            fault("not all members are here");
        }
    }

    private boolean isStillWaiting() {
        waitedNs += LOOK_NS;
        return waitedNs < PATIENCE_NS && byRank.values().stream().anyMatch(w -> w.epoch == epoch);
    }

    private void copy() {
        if (!isWhole()) {
            fault("a member is gone");
            return;
        }
        VirtualWorker source = worker(view.source());
        long copied = source.state;
        long history = source.lineage;
        for (int rank : view.behind()) {
            VirtualWorker behind = worker(rank);
            if (!behind.seat.forget(epoch)) {
                fault("the epoch was sealed before the copy");
                return;
            }
            if (run.random().nextInt(20) == 0) {
                fault("the copy broke");
                return;
            }
            behind.seat.apply(
                    epoch,
                    view.committed(),
                    () -> {
                        behind.state = copied;
                        behind.lineage = history;
                    });
        }
        run.checkBegin(view, List.copyOf(byRank.values()));
        begin();
    }

    private void begin() {
        waitedNs = 0;
        long step = lastStep + 1;
        if (step > VirtualRun.LAST_STEP) {
            byRank.values().stream()
                    .filter(worker -> worker.seat.isOpen(epoch))
                    .forEach(VirtualWorker::finish);
            return;
        }
        if (step > view.lastStep()) {
            sealAll();
            return;
        }
        List<Long> computeNs = new ArrayList<>();
        for (int rank = 0; rank < view.group().size(); rank++) {
            double ns = view.plan().shares().get(rank) * run.nsOfASample(worker(rank));
            computeNs.add((long) Math.max(1, ns));
        }
        long longestNs = computeNs.stream().mapToLong(Long::longValue).max().orElse(1);
        long exchangeNs = view.group().size() > 1 ? run.exchangeNs(view.group()) : 0;
        run.time().after(longestNs + exchangeNs, () -> end(step, computeNs, longestNs, exchangeNs));
    }

    /** A step ends for all, or, where somebody is missing, for some, or for nobody. */
    private void end(long step, List<Long> computeNs, long longestNs, long exchangeNs) {
        if (isOver || byRank.values().stream().allMatch(w -> w.epoch != epoch || !w.isAlive())) {
            return;
        }
        boolean isWhole = isWhole();
        if (!isWhole && byRank.values().stream().allMatch(VirtualWorker::isAlive)) {
            waitedNs += LOOK_NS;
            if (waitedNs < PATIENCE_NS) {
                run.time().after(LOOK_NS, () -> end(step, computeNs, longestNs, exchangeNs));
                return;
            }
        }
        int applied = 0;
        for (int rank = 0; rank < view.group().size(); rank++) {
            VirtualWorker worker = worker(rank);
            boolean reaches = worker.isAtWork() && (isWhole || run.random().nextBoolean());
            WorkerStep figures = figures(step, rank, computeNs.get(rank), longestNs, exchangeNs);
            applied += reaches && worker.apply(epoch, step, figures) ? 1 : 0;
        }
        if (applied < view.group().size()) {
            fault("step " + step + " was torn");
            return;
        }
        lastStep = step;
        if (step % CHECKPOINT_EVERY == 0) {
            worker(0).keep();
        }
        boolean isPaused = byRank.values().stream().anyMatch(w -> w.pausedEpoch == epoch);
        if (isPaused) {
            sealAll();
        } else {
            begin();
        }
    }

    private WorkerStep figures(
            long step, int rank, long computeNs, long longestNs, long exchangeNs) {
        int share = view.plan().shares().get(rank);
        return new WorkerStep(
                step,
                view.plan().version(),
                1,
                1,
                Double.NaN,
                view.plan().globalBatch(),
                share,
                0,
                longestNs + exchangeNs,
                computeNs,
                exchangeNs,
                longestNs - computeNs,
                0,
                0,
                1000,
                1000,
                null);
    }

    private void sealAll() {
        isOver = true;
        byRank.values().stream().filter(VirtualWorker::isAtWork).forEach(w -> w.seal(epoch));
    }

    private void fault(String why) {
        isOver = true;
        for (Member member : view.group().members()) {
            VirtualWorker worker = run.worker(member.worker());
            run.time().after(run.delay(5), () -> faultOf(worker, why));
        }
    }

    private void faultOf(VirtualWorker worker, String why) {
        if (worker.epoch == epoch) {
            worker.fault(epoch, why);
        }
    }

    private VirtualWorker worker(int rank) {
        return run.worker(view.group().members().get(rank).worker());
    }
}
