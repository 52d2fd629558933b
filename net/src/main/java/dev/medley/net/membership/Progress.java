package dev.medley.net.membership;

/**
 * The step up to which a worker's state has come. Ordered: a state that also holds the outcome of
 * the evaluation after a step is ahead of one that does not.
 *
 * @param step last applied step, 0 before the first, -1 for a worker that holds no state yet
 * @param evaluated whether the evaluation that was due after that step is part of the state
 */
public record Progress(long step, boolean evaluated) implements Comparable<Progress> {
    /** A worker that holds no state: it has to copy one, whatever the others hold. */
    public static final Progress NONE = new Progress(-1, false);

    @Override
    public int compareTo(Progress other) {
        int bySteps = Long.compare(step, other.step);
        return bySteps != 0 ? bySteps : Boolean.compare(evaluated, other.evaluated);
    }
}
