package dev.medley.inference.running;

/** Decides whether an optimizer's step on a micro-batch stands, or is taken back. */
public final class StepGuard {
    /** A step that multiplies the loss of its own rows by more has gone too far. */
    private static final double MOST_GROWTH = 10;

    /**
     * A decision.
     *
     * @param isKept whether the step stands
     * @param why a sentence
     */
    public record Verdict(boolean isKept, String why) {}

    /**
     * Tells what is known of a step.
     *
     * @param before the mean loss of its rows before it
     * @param gradientNorm of the mean gradient
     * @param after the mean loss of the same rows behind it
     * @param usual the mean loss of rows before they were learnt, by now; NaN where none was
     */
    public record Figures(double before, double gradientNorm, double after, double usual) {}

    private StepGuard() {}

    /** What becomes of it. */
    public static Verdict judge(Figures step) {
        if (!Double.isFinite(step.before())) {
            return refused("the loss of its rows is %s before the step".formatted(step.before()));
        }
        if (!Double.isFinite(step.gradientNorm())) {
            return refused("its gradient is not finite");
        }
        if (!Double.isFinite(step.after())) {
            return refused("the loss of its rows is %s behind the step".formatted(step.after()));
        }
        double allowed =
                MOST_GROWTH
                        * (Double.isNaN(step.usual())
                                ? step.before()
                                : Math.max(step.before(), step.usual()));
        if (step.after() > allowed && step.after() > step.before()) {
            return refused(
                    "the step takes the loss of its own rows from %.4g to %.4g, where %.4g is usual"
                            .formatted(step.before(), step.after(), step.usual()));
        }
        return new Verdict(
                true, "loss %.4g, and %.4g behind the step".formatted(step.before(), step.after()));
    }

    private static Verdict refused(String why) {
        return new Verdict(false, why);
    }
}
