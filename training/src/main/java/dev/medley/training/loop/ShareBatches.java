package dev.medley.training.loop;

import dev.medley.base.Plan;
import dev.medley.store.dataset.SampleRange;
import dev.medley.training.strategy.Part;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One rank's shares under one plan, cut into the batches that the worker computes one after
 * another: several in a step where workers go some way by themselves, else one. Batches are
 * numbered from 1 on, as if the plan had held since steps have had their present size.
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
                i -> schedule.learningRateFactor(step, i, count) * plan.learningRateScale());
    }

    /** The number of a step's first batch. */
    public long first(long step) {
        long done = step - firstStep();
        if (done < stepsOfFirstEpoch()) {
            return done * perStep() + 1;
        }
        long beyond = done - stepsOfFirstEpoch();
        return inFirstEpoch()
                + beyond / schedule.stepsPerEpoch() * perEpoch()
                + beyond % schedule.stepsPerEpoch() * perStep()
                + 1;
    }

    /** The samples of a batch. */
    public SampleRange range(long number) {
        long done = number - 1;
        if (done < inFirstEpoch()) {
            return range(firstStep(), done, stepsOfFirstEpoch());
        }
        long beyond = done - inFirstEpoch();
        long before = beyond / perEpoch() * schedule.stepsPerEpoch();
        return range(
                firstStep() + stepsOfFirstEpoch() + before,
                beyond % perEpoch(),
                schedule.stepsPerEpoch());
    }

    /** The batch {@code done} batches into the {@code steps} steps of an epoch. */
    private SampleRange range(long firstOfEpoch, long done, long steps) {
        long inEpoch = Math.min(done / perStep(), steps - 1);
        long at = (done - inEpoch * perStep()) * schedule.round().innerBatch();
        SampleRange share = schedule.share(firstOfEpoch + inEpoch, plan, rank);
        long from = Math.min(share.to(), share.from() + at);
        long to = Math.min(share.to(), from + schedule.round().innerBatch());
        return new SampleRange(share.epoch(), from, to);
    }

    /** The first step that had the present size. */
    private long firstStep() {
        return schedule.sizes().last().fromStep();
    }

    /** Steps from there to the end of the epoch. */
    private long stepsOfFirstEpoch() {
        int samples = schedule.sizes().last().samples();
        long left = schedule.samplesPerEpoch() - schedule.cursor(firstStep()).position();
        return (left + samples - 1) / samples;
    }

    /** Batches of a step that is as long as most; the last of an epoch may have fewer. */
    private long perStep() {
        return batches(plan.shares().get(rank));
    }

    private long inFirstEpoch() {
        long steps = stepsOfFirstEpoch();
        return (steps - 1) * perStep() + count(firstStep() + steps - 1, rank);
    }

    private long perEpoch() {
        long steps = schedule.stepsPerEpoch();
        long last = firstStep() + stepsOfFirstEpoch() + steps - 1;
        return (steps - 1) * perStep() + count(last, rank);
    }

    /** Batches of a rank in a step: one at least, empty where the share is. */
    private int count(long step, int ofRank) {
        return (int) batches(schedule.share(step, plan, ofRank).samples());
    }

    private long batches(long samples) {
        int innerBatch = schedule.round().innerBatch();
        return Math.max(1, (samples + innerBatch - 1) / innerBatch);
    }
}
