package dev.medley.training.kmeans;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.net.membership.Membership;
import dev.medley.net.membership.Membership.Action;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.training.RanksOnThreads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a k-means on workers that are threads, in the groups that the coordinator's own {@link
 * Membership} forms. One worker can be killed within a step: its connections end, and it says
 * nothing more. Another one takes its place, which knows nothing of the run.
 */
final class KMeansRun implements AutoCloseable {
    /** Who is killed, in which step: its sums have left, and what it says of them has not. */
    record Kill(int worker, long step) {}

    private static final int MICRO_BATCH = 64;

    private final KMeansSamples samples;
    private final RanksOnThreads ranks;
    private final Membership membership;
    private final List<KMeansWorker> workers = new ArrayList<>();
    private final CountDownLatch training;

    /** A run of so many workers and steps; nobody is killed where {@code kill} is null. */
    KMeansRun(KMeansSamples samples, int count, @Nullable Kill kill) {
        this.samples = samples;
        int all = kill == null ? count : count + 1;
        ranks = new RanksOnThreads(Collections.nCopies(all, Member.NO_SITE), Transport.TCP);
        training = new CountDownLatch(count);
        membership = new Membership(count, Long.MAX_VALUE, Membership.GroupSize.ALL);
        for (int i = 0; i < all; i++) {
            Kill own = kill != null && kill.worker() == i ? kill : null;
            workers.add(new KMeansWorker(this, i, samples, own));
        }
        for (int i = 0; i < count; i++) {
            come(i);
        }
    }

    /** Trains to the end; all workers, and last the one that came for another. */
    List<KMeansWorker> train() throws Exception {
        return ranks.inParallel(
                worker -> {
                    workers.get(worker).live(ranks.endpoint(worker));
                    return workers.get(worker);
                });
    }

    /** A worker can apply no more steps of an epoch. */
    synchronized void faulted(WorkerId id, int epoch, Fault fault) {
        membership.faulted(id, epoch, fault);
        act();
    }

    /** A worker has taken its last step; returns when all have, who may still need it. */
    void finished() {
        training.countDown();
        try {
            if (!training.await(5, TimeUnit.MINUTES)) {
                throw new AssertionError("some never came to the end");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A worker's connections have ended. */
    synchronized void killed(WorkerId id) {
        come(workers.size() - 1);
        membership.lost(id, new Fault(Fault.Kind.PEER, id.toString(), id + " is gone"));
        act();
    }

    private synchronized void come(int worker) {
        WorkerId id = new WorkerId(worker);
        Member member = ranks.group(1).members().get(worker);
        membership.joined(id, 0);
        membership.ready(id, member, new Progress(0, false), 0);
        act();
    }

    private void act() {
        List<Action> actions = membership.takeActions();
        for (Action action : actions) {
            if (action instanceof Action.TellForm form) {
                View view = view(form);
                form.group().members().forEach(m -> worker(m.worker()).order(view));
            } else if (action instanceof Action.TellSeal seal) {
                seal.to().forEach(id -> seal(id, seal));
            }
        }
        if (!actions.isEmpty()) {
            act();
        }
    }

    private void seal(WorkerId id, Action.TellSeal seal) {
        if (!worker(id).isKilled()) {
            Progress progress = worker(id).seal(ranks.endpoint(id.value()), seal);
            membership.sealed(id, seal.epoch(), progress);
        }
    }

    private KMeansWorker worker(WorkerId id) {
        return workers.get(id.value());
    }

    private View view(Action.TellForm form) {
        int epoch = form.group().epoch();
        String why = "others in each group";
        return new View(
                form.group(),
                new Plan(epoch, shares(form.group(), epoch), MICRO_BATCH, why),
                form.committed(),
                form.source(),
                form.behind(),
                Long.MAX_VALUE);
    }

    /** Unequal ones; in groups after the first, the first member has none. */
    private List<Integer> shares(Group group, int epoch) {
        List<Integer> shares = new ArrayList<>();
        int left = (int) samples.count();
        for (int rank = 0; rank < group.size() - 1; rank++) {
            int tenths = rank == 0 && epoch > 1 ? 0 : 2 + 3 * rank;
            shares.add((int) samples.count() * tenths / 10);
            left -= shares.get(rank);
        }
        shares.add(left);
        return shares;
    }

    @Override
    public void close() {
        ranks.close();
    }
}
