package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;

/**
 * The change of the learning rate over a run: a factor on the optimizer's rate, a pure function of
 * the step.
 *
 * @param kind the shape after warm-up
 * @param warmupSteps steps over which the factor rises linearly from 0 to 1
 * @param stepEpochs epochs between two drops of {@link Kind#STEP}
 * @param stepFactor factor of each drop
 * @param floor the factor at which {@link Kind#COSINE} ends
 * @param warmupShare largest share of all steps that warm-up takes. 0, as in the records of
 *     versions that had no such component, is a quarter
 */
public record ScheduleSpec(
        Kind kind,
        long warmupSteps,
        double stepEpochs,
        double stepFactor,
        double floor,
        @JsonSetter(nulls = Nulls.AS_EMPTY) double warmupShare) {
    /** The largest share of a warm-up whose job says nothing of it. */
    public static final double WARMUP_SHARE = 0.25;

    /** The shapes. */
    public enum Kind {
        CONSTANT,
        STEP,
        COSINE
    }

    public ScheduleSpec {
        warmupShare = warmupShare == 0 ? WARMUP_SHARE : warmupShare;
        check(
                warmupShare > 0 && warmupShare <= 1,
                "train.schedule.warmup_share=%s: above 0, to 1",
                warmupShare);
        check(warmupSteps >= 0, "train.schedule.warmup=%d: 0 or more steps", warmupSteps);
        check(stepEpochs > 0, "train.schedule.every=%s: above 0 epochs", stepEpochs);
        check(
                stepFactor > 0 && stepFactor <= 1,
                "train.schedule.factor=%s: above 0, to 1",
                stepFactor);
        check(floor >= 0 && floor <= 1, "train.schedule.floor=%s: from 0 to 1", floor);
    }

    /** A warm-up of a quarter of all steps at most. */
    public ScheduleSpec(
            Kind kind, long warmupSteps, double stepEpochs, double stepFactor, double floor) {
        this(kind, warmupSteps, stepEpochs, stepFactor, floor, WARMUP_SHARE);
    }

    /** The same with another share of all steps that warm-up takes at most. */
    public ScheduleSpec withWarmupShare(double share) {
        return new ScheduleSpec(kind, warmupSteps, stepEpochs, stepFactor, floor, share);
    }

    /** A constant rate. */
    public static ScheduleSpec defaults() {
        return new ScheduleSpec(Kind.CONSTANT, 0, 10, 0.1, 0);
    }

    /**
     * The factor of step {@code step} (from 1) of {@code totalSteps}, with {@code stepsPerEpoch}.
     * Cosine is that of Loshchilov and Hutter 2017 without restarts.
     */
    public double factor(long step, long totalSteps, long stepsPerEpoch) {
        long warmup = Math.min(warmupSteps, (long) (totalSteps * warmupShare));
        if (step <= warmup) {
            return (double) step / warmup;
        }
        return switch (kind) {
            case CONSTANT -> 1;
            case STEP ->
                    Math.pow(stepFactor, Math.floor((step - 1) / (stepEpochs * stepsPerEpoch)));
            case COSINE -> {
                double span = Math.max(1, totalSteps - warmup);
                double done = Math.min(1, (step - 1 - warmup) / span);
                yield floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * done));
            }
        };
    }
}
