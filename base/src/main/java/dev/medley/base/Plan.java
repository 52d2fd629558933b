package dev.medley.base;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The division of a step's work among the ranks of a group, until the next plan. Plans are part of
 * a run's record: the same seed, data and recorded plans give the same numbers.
 *
 * @param version grows with every plan of a run, from 1
 * @param shares samples of each rank in one step, in order of rank; their sum is the global batch;
 *     zero is allowed
 * @param microBatch most samples that go through a rank's model at once
 * @param why one sentence for the user
 * @param learningRateScale on top of the schedule's factor, for a batch that is not the job's own.
 *     Null, as in the records of versions that had no such component, is 1
 * @param continued whether the group before continues under this plan: the same members in the same
 *     order, and none is behind. Null until the group is formed
 * @param servers part of the parameters that each rank holds as a server, relative to each other;
 *     empty for equal parts. Null, as in the records of versions that had no such component, is
 *     empty
 * @param route what sums follow of what was measured; null where the group measures for itself
 * @param owners rank that keeps each shard of the training samples, where samples have a place;
 *     empty where every worker takes any. Null, as in the records of versions that had no such
 *     component, is empty
 * @param microBatches the same as {@code microBatch} for each rank, where they differ; empty where
 *     they do not. Null, as in the records of versions that had no such component, is empty
 */
public record Plan(
        int version,
        List<Integer> shares,
        int microBatch,
        String why,
        Double learningRateScale,
        @Nullable Boolean continued,
        List<Double> servers,
        @Nullable MeasuredRoute route,
        List<Integer> owners,
        List<Integer> microBatches) {
    public Plan {
        shares = List.copyOf(shares);
        servers = List.copyOf(Objects.requireNonNullElse(servers, List.of()));
        owners = List.copyOf(Objects.requireNonNullElse(owners, List.of()));
        microBatches = List.copyOf(Objects.requireNonNullElse(microBatches, List.of()));
        learningRateScale = Objects.requireNonNullElse(learningRateScale, 1.0);
    }

    /** A plan at the job's own learning rate. */
    public Plan(int version, List<Integer> shares, int microBatch, String why) {
        this(version, shares, microBatch, why, 1.0, null, List.of(), null, List.of(), List.of());
    }

    /** The same in other micro-batches, for this reason. */
    public Plan with(int changed, String reason) {
        return new Plan(
                version,
                shares,
                changed,
                reason,
                learningRateScale,
                continued,
                servers,
                route,
                owners,
                microBatches);
    }

    /** The same in micro-batches of the ranks' own, for this reason. */
    public Plan with(List<Integer> ofRanks, String reason) {
        return new Plan(
                version,
                shares,
                microBatch,
                reason,
                learningRateScale,
                continued,
                servers,
                route,
                owners,
                ofRanks);
    }

    /** The same at another learning rate, for this reason. */
    public Plan scaled(double learningRate, String reason) {
        return new Plan(
                version,
                shares,
                microBatch,
                reason,
                learningRate,
                continued,
                servers,
                route,
                owners,
                microBatches);
    }

    /** The same with parameters on servers in these proportions, for this reason. */
    public Plan serving(List<Double> parts, String reason) {
        return new Plan(
                version,
                shares,
                microBatch,
                reason,
                learningRateScale,
                continued,
                parts,
                route,
                owners,
                microBatches);
    }

    /** The same with the training samples' shards kept by these ranks, for this reason. */
    public Plan placing(List<Integer> ranks, String reason) {
        return new Plan(
                version,
                shares,
                microBatch,
                reason,
                learningRateScale,
                continued,
                servers,
                route,
                ranks,
                microBatches);
    }

    /** The same for a group that goes on with what each member holds for itself. */
    public Plan goingOn() {
        return continuing(true);
    }

    /** The same for a group whose members begin anew what they hold for themselves. */
    public Plan beginningAnew() {
        return continuing(false);
    }

    private Plan continuing(boolean goesOn) {
        return new Plan(
                version,
                shares,
                microBatch,
                why,
                learningRateScale,
                goesOn,
                servers,
                route,
                owners,
                microBatches);
    }

    /** The same for a group whose sums follow this. */
    public Plan along(MeasuredRoute measured) {
        return new Plan(
                version,
                shares,
                microBatch,
                why,
                learningRateScale,
                continued,
                servers,
                measured,
                owners,
                microBatches);
    }

    /** Whether what each member holds for itself may stay. */
    public boolean isContinued() {
        return Boolean.TRUE.equals(continued);
    }

    /** Most samples that go through a rank's model at once. */
    public int microBatch(int rank) {
        return microBatches.isEmpty() ? microBatch : microBatches.get(rank);
    }

    /** Samples of one full step over all ranks. */
    public int globalBatch() {
        return shares.stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * Where rank's share of a step with {@code samples} samples begins, relative to the step's
     * first sample. A short last step of an epoch is cut in proportion to the shares, so that no
     * rank is left with all of it.
     */
    public long shareStart(int rank, long samples) {
        long before = 0;
        for (int r = 0; r < rank; r++) {
            before += shares.get(r);
        }
        int global = globalBatch();
        return samples == global ? before : before * samples / global;
    }

    /** Where rank's share ends; see {@link #shareStart}. */
    public long shareEnd(int rank, long samples) {
        return rank + 1 == shares.size() ? samples : shareStart(rank + 1, samples);
    }
}
