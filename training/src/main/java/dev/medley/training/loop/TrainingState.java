package dev.medley.training.loop;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.medley.base.BatchSizes;
import dev.medley.base.job.TrainSpec.StopSpec;
import dev.medley.data.order.PlacedEpoch;
import dev.medley.inference.metric.Metric;
import dev.medley.net.membership.Progress;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run besides numbers in native memory. It is equal on all members of a group but
 * for the time, copied to newcomers, and part of every checkpoint.
 *
 * @param step last applied
 * @param evaluated whether the evaluation due after it is part of the state
 * @param best figure of the deciding metric so far; null before the first
 * @param bestStep where it was reached
 * @param sinceBest evaluations since the patience saw progress
 * @param over why training is over; null while it is not
 * @param fullPrecision whether bf16 was given up
 * @param sizes how many samples steps took and take; null while it is the job's batch all along
 * @param backlog samples that rounds left behind; null where there are none
 * @param placed whose samples the epoch takes; null where every worker takes any
 * @param gain the last progress that the patience saw; null before the first, and in the states of
 *     versions that did not keep it
 * @param trainedNs how long the run has trained, its earlier processes included, by the clock of
 *     the member that holds this; 0 in the states of versions that did not keep it
 */
public record TrainingState(
        long step,
        boolean evaluated,
        @Nullable Double best,
        long bestStep,
        int sinceBest,
        @Nullable String over,
        boolean fullPrecision,
        @Nullable BatchSizes sizes,
        @Nullable Backlog backlog,
        @Nullable PlacedEpoch placed,
        @Nullable Gain gain,
        @JsonSetter(nulls = Nulls.AS_EMPTY) long trainedNs) {
    /**
     * Progress that a patience saw.
     *
     * @param step after which
     * @param loss of validation there; null if it was no number
     * @param figure of the deciding metric, which the next progress has to exceed; null in the
     *     states of versions that did not keep it, where it is the best
     */
    public record Gain(long step, @Nullable Double loss, @Nullable Double figure) {}

    /** Before the first step. */
    public static final TrainingState START = new TrainingState(0, false, null, 0, 0, null, false);

    /** A state of a run whose batch never changed. */
    public TrainingState(
            long step,
            boolean evaluated,
            @Nullable Double best,
            long bestStep,
            int sinceBest,
            @Nullable String over,
            boolean fullPrecision) {
        this(
                step,
                evaluated,
                best,
                bestStep,
                sinceBest,
                over,
                fullPrecision,
                null,
                null,
                null,
                null,
                0);
    }

    /** How far this state has come. */
    public Progress progress() {
        return new Progress(step, evaluated);
    }

    /** After one more step. */
    public TrainingState stepped() {
        return new TrainingState(
                step + 1,
                false,
                best,
                bestStep,
                sinceBest,
                over,
                fullPrecision,
                sizes,
                backlog,
                placed,
                gain,
                trainedNs);
    }

    /** The end, if it has not come before. */
    public TrainingState over(String why) {
        String first = over == null ? why : over;
        return new TrainingState(
                step,
                evaluated,
                best,
                bestStep,
                sinceBest,
                first,
                fullPrecision,
                sizes,
                backlog,
                placed,
                gain,
                trainedNs);
    }

    /** From now on in fp32. */
    public TrainingState inFullPrecision() {
        return new TrainingState(
                step, evaluated, best, bestStep, sinceBest, over, true, sizes, backlog, placed,
                gain, trainedNs);
    }

    /** With these sizes of steps. */
    public TrainingState with(BatchSizes changed) {
        return new TrainingState(
                step,
                evaluated,
                best,
                bestStep,
                sinceBest,
                over,
                fullPrecision,
                changed,
                backlog,
                placed,
                gain,
                trainedNs);
    }

    /** With these samples behind. */
    public TrainingState with(Backlog left) {
        return new TrainingState(
                step,
                evaluated,
                best,
                bestStep,
                sinceBest,
                over,
                fullPrecision,
                sizes,
                left.isNone() ? null : left,
                placed,
                gain,
                trainedNs);
    }

    /** With samples in these places; null for none. */
    public TrainingState with(@Nullable PlacedEpoch changed) {
        return new TrainingState(
                step,
                evaluated,
                best,
                bestStep,
                sinceBest,
                over,
                fullPrecision,
                sizes,
                backlog,
                changed,
                gain,
                trainedNs);
    }

    /** After so much more time of training. */
    public TrainingState trained(long moreNs) {
        return new TrainingState(
                step,
                evaluated,
                best,
                bestStep,
                sinceBest,
                over,
                fullPrecision,
                sizes,
                backlog,
                placed,
                gain,
                trainedNs + moreNs);
    }

    /**
     * After the evaluation of this step gave {@code figure} for the deciding metric, and {@code
     * loss}. Of equal figures the last is the best: it comes of more training. For the patience a
     * figure is progress if it exceeds that of the last progress by more than the smallest gain
     * that counts; one that is as good as the best, or better by less, is so only where the loss
     * fell and the patience counts steps, too. What is not a number is worse than any number; a
     * patience that counts steps looks at the loss instead.
     */
    public TrainingState evaluated(double figure, double loss, Metric metric, StopSpec stop) {
        Double before = best;
        boolean isBest =
                before == null || isSame(figure, before) || gain(figure, before, metric) > 0;
        Double beaten = gain == null || gain.figure() == null ? best : gain.figure();
        boolean isProgress = beaten == null || gain(figure, beaten, metric) > stop.minGain();
        boolean goesByLoss = stop.patienceSteps() > 0 && (isBest || Double.isNaN(figure));
        boolean gains = isProgress || (goesByLoss && isLower(loss));
        boolean isUnknown = goesByLoss && Double.isNaN(figure) && Double.isNaN(loss);
        int since = gains ? 0 : isUnknown ? sinceBest : sinceBest + 1;
        Gain last = gains ? gained(loss, isProgress ? Double.valueOf(figure) : beaten) : gain;
        long sinceSteps = step - (last == null ? bestStep : last.step());
        String why = over;
        if (why == null && stop.target() != null && reached(figure, stop.target(), metric)) {
            why =
                    "%s reached its target: %.5g, asked for %.5g"
                            .formatted(metric.name(), figure, stop.target());
        } else if (why == null
                && stop.patience() > 0
                && since >= stop.patience()
                && sinceSteps >= stop.patienceSteps()) {
            why = outOfPatience(metric, beaten, since, stop);
        }
        return new TrainingState(
                step,
                true,
                isBest ? Double.valueOf(figure) : best,
                isBest ? step : bestStep,
                since,
                why,
                fullPrecision,
                sizes,
                backlog,
                placed,
                last,
                trainedNs);
    }

    private Gain gained(double loss, @Nullable Double figure) {
        return new Gain(step, Double.isNaN(loss) ? null : loss, figure);
    }

    private String outOfPatience(Metric metric, @Nullable Double beaten, int since, StopSpec stop) {
        return stop.minGain() == 0
                ? "%s has not improved on %.5g of step %d for %d evaluations"
                        .formatted(metric.name(), best, bestStep, since)
                : "%s has not improved on %.5g by more than %.5g for %d evaluations"
                        .formatted(metric.name(), beaten, stop.minGain(), since);
    }

    private boolean isLower(double loss) {
        return !Double.isNaN(loss) && (gain == null || gain.loss() == null || loss < gain.loss());
    }

    /** Whether the last evaluation was the best so far. */
    public boolean isBest() {
        return evaluated && bestStep == step;
    }

    private static boolean isSame(double figure, double best) {
        return figure == best || (Double.isNaN(figure) && Double.isNaN(best));
    }

    private static double gain(double figure, double best, Metric metric) {
        if (Double.isNaN(best)) {
            return Double.isNaN(figure) ? 0 : Double.POSITIVE_INFINITY;
        }
        return metric.isHigherBetter() ? figure - best : best - figure;
    }

    private static boolean reached(double figure, double target, Metric metric) {
        return metric.isHigherBetter() ? figure >= target : figure <= target;
    }
}
