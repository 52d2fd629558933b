package dev.medley.plan.forecast;

import dev.medley.base.WorkerId;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.speed.SpeedTracker;
import dev.medley.profile.speed.StepTimeFit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps how fast workers are, whatever the strategy. It holds a worker's time for a batch of its
 * own, from its trial before it joined, or as measured since.
 *
 * <p>Thread: owned by its caller.
 */
final class WorkerSpeeds {
    private static final int FEW = 4;

    private final ModelFacts facts;
    private final Map<WorkerId, List<Measured>> tried = new HashMap<>();
    private final Map<WorkerId, StepTimeFit> seen = new HashMap<>();

    WorkerSpeeds(ModelFacts facts) {
        this.facts = facts;
    }

    /** The workers that have joined. */
    Set<WorkerId> workers() {
        return tried.keySet();
    }

    /** A worker has tried some shares; perhaps none. */
    void joins(WorkerId worker, List<Measured> shares) {
        tried.put(worker, shares);
    }

    /** A worker computes so many times as fast as before, until its steps say. */
    void resized(WorkerId worker, double faster) {
        List<Measured> before = batches(worker);
        seen.remove(worker);
        tried.put(
                worker,
                before.stream()
                        .map(
                                of ->
                                        Measured.alone(
                                                of.share(),
                                                Math.max(1, (long) (of.computeNs() / faster))))
                        .toList());
    }

    /** A worker is gone for good. */
    void leaves(WorkerId worker) {
        tried.remove(worker);
        seen.remove(worker);
    }

    /** A worker took its part of a step under a strategy; a round's share is many batches. */
    void stepped(WorkerId worker, Measured took, Candidate under) {
        int batch = under.hasRounds() ? Math.min(took.share(), facts.innerBatch()) : took.share();
        if (batch > 0) {
            double ns = (double) took.computeNs() * batch / took.share();
            seen.put(worker, of(worker).after(batch, ns));
        }
    }

    /** What a worker's batches take. */
    StepTimeFit of(WorkerId worker) {
        StepTimeFit since = seen.get(worker);
        return since == null ? fit(tried.getOrDefault(worker, List.of())) : since;
    }

    /** Shares between two exchanges of a strategy, as if the worker had tried them. */
    List<Measured> under(WorkerId worker, Candidate strategy) {
        return asShares(batches(worker), strategy);
    }

    /**
     * Workers that did not know of rounds tried a batch; a round's share is many of them, each of
     * which costs anew what a batch costs beside its samples.
     */
    List<Measured> asShares(List<Measured> shares, Candidate strategy) {
        int inner = facts.innerBatch();
        int workers = Math.max(1, facts.batch() / inner);
        int equal = Math.max(1, strategy.syncEvery() * facts.batch() / workers);
        boolean isOfBatches = shares.stream().allMatch(s -> s.share() <= facts.batch());
        if (!strategy.hasRounds() || shares.isEmpty() || !isOfBatches) {
            return shares;
        }
        double batchNs = fit(shares).line().predictNs(inner);
        return List.of(Measured.alone(equal, (long) (batchNs * equal / inner)));
    }

    private List<Measured> batches(WorkerId worker) {
        StepTimeFit since = seen.get(worker);
        if (since == null) {
            return tried.getOrDefault(worker, List.of());
        }
        int batch = facts.innerBatch();
        int few = Math.max(1, batch / FEW);
        return few == batch ? List.of(at(batch, since)) : List.of(at(few, since), at(batch, since));
    }

    private static Measured at(int share, StepTimeFit fit) {
        return Measured.alone(share, (long) fit.line().predictNs(share));
    }

    private static StepTimeFit fit(List<Measured> shares) {
        SpeedTracker guess = SpeedTracker.unknown();
        for (Measured share : shares) {
            guess = guess.tried(share.share(), (double) share.computeNs());
        }
        return guess.fit();
    }
}
