package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

/**
 * How the learning rate changes; a factor on the optimizer's rate, a pure function of the step.
 *
 * @param kind the shape after warm-up
 * @param warmupSteps steps over which the factor rises linearly from 0 to 1; a quarter of all steps
 *     at most
 * @param stepEpochs epochs between two drops of {@link Kind#STEP}
 * @param stepFactor factor of each drop
 * @param floor the factor at which {@link Kind#COSINE} ends
 */
public record ScheduleSpec(
        Kind kind, long warmupSteps, double stepEpochs, double stepFactor, double floor) {
    /** The shapes. */
    public enum Kind {
        CONSTANT,
        STEP,
        COSINE
    }

    public ScheduleSpec {
        check(warmupSteps >= 0, "train.schedule.warmup=%d: 0 or more steps", warmupSteps);
        check(stepEpochs > 0, "train.schedule.every=%s: above 0 epochs", stepEpochs);
        check(
                stepFactor > 0 && stepFactor <= 1,
                "train.schedule.factor=%s: above 0, to 1",
                stepFactor);
        check(floor >= 0 && floor <= 1, "train.schedule.floor=%s: from 0 to 1", floor);
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
        long warmup = Math.min(warmupSteps, totalSteps / 4);
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
