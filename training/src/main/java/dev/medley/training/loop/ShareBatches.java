package dev.medley.training.loop;

import dev.medley.base.Plan;
import dev.medley.store.dataset.SampleRange;
import dev.medley.training.strategy.Part;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One rank's shares under one plan, cut into the batches that the worker computes one after
 * another: several in a step where workers go some way by themselves, else one. Batches are
 * numbered from 1 over the whole run, as if the plan had held from its beginning.
 *
 * @param schedule of the run
 * @param plan that cuts each step among the ranks
 * @param rank whose shares these are
 */
public record ShareBatches(StepSchedule schedule, Plan plan, int rank) {
    /** This rank's part of a step. */
    Part part(long step) {
        int count = count(step, rank);
        List<Integer> counts =
                IntStream.range(0, plan.shares().size()).mapToObj(r -> count(step, r)).toList();
        return new Part(
                step,
                rank,
                plan.shareStart(rank, schedule.samples(step)),
                counts,
                plan.microBatch(),
                schedule.batches(step),
                i -> schedule.learningRateFactor(step, i, count));
    }

    /** The number of a step's first batch. */
    public long first(long step) {
        long epochs = (step - 1) / schedule.stepsPerEpoch();
        long inEpoch = (step - 1) % schedule.stepsPerEpoch();
        return epochs * perEpoch() + inEpoch * perStep() + 1;
    }

    /** The samples of a batch. */
    public SampleRange range(long number) {
        long epochs = (number - 1) / perEpoch();
        long inEpoch = (number - 1) % perEpoch();
        long stepInEpoch = Math.min(inEpoch / perStep(), schedule.stepsPerEpoch() - 1);
        long step = epochs * schedule.stepsPerEpoch() + stepInEpoch + 1;
        long at = (inEpoch - stepInEpoch * perStep()) * schedule.round().innerBatch();
        SampleRange share = schedule.share(step, plan, rank);
        long from = Math.min(share.to(), share.from() + at);
        long to = Math.min(share.to(), from + schedule.round().innerBatch());
        return new SampleRange(share.epoch(), from, to);
    }

    /** Batches of a step that is as long as most; the last of an epoch may have fewer. */
    private long perStep() {
        return count(1, rank);
    }

    private long perEpoch() {
        long last = schedule.stepsPerEpoch();
        return (last - 1) * perStep() + count(last, rank);
    }

    /** Batches of a rank in a step: one at least, empty where the share is. */
    private int count(long step, int ofRank) {
        int innerBatch = schedule.round().innerBatch();
        long samples = schedule.share(step, plan, ofRank).samples();
        return (int) Math.max(1, (samples + innerBatch - 1) / innerBatch);
    }
}
