package dev.medley.fleet.elastic.trace;

/**
 * Holds how long a step takes.
 *
 * @param stepS seconds of a whole step
 * @param syncS seconds of it that workers exchange and do not compute
 */
public record StepCost(double stepS, double syncS) {
    /** Seconds of the computation, which is what a further accumulated batch costs. */
    public double computeS() {
        return stepS - syncS;
    }

    /** Seconds of a step that accumulates that many batches more before it exchanges. */
    public double totalS(int accumulated) {
        return stepS + accumulated * computeS();
    }

    /** The sum of parts: {@code share} of this, the rest of {@code other}. */
    StepCost mix(double share, StepCost other) {
        return new StepCost(
                share * stepS + (1 - share) * other.stepS,
                share * syncS + (1 - share) * other.syncS);
    }
}
