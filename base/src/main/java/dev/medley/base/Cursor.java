package dev.medley.base;

/**
 * The samples that committed steps have used up: all of the epochs before {@code epoch}, and the
 * first {@code position} positions of its order. Derived from the committed step, never ahead of
 * it.
 */
public record Cursor(long epoch, long position) {
    /** Nothing used yet. */
    public static final Cursor START = new Cursor(0, 0);

    /**
     * The cursor after one more step of up to {@code batch} samples of an epoch of {@code
     * samplesPerEpoch}.
     */
    public Cursor afterStep(int batch, long samplesPerEpoch) {
        long next = position + samplesInStep(batch, samplesPerEpoch);
        return next >= samplesPerEpoch ? new Cursor(epoch + 1, 0) : new Cursor(epoch, next);
    }

    /** Samples of the step that starts here: the batch, or what is left of the epoch. */
    public long samplesInStep(int batch, long samplesPerEpoch) {
        return Math.min(batch, samplesPerEpoch - position);
    }

    /** The cursor before step {@code step} (from 1) of a run with a constant batch. */
    public static Cursor beforeStep(long step, int batch, long samplesPerEpoch) {
        long stepsPerEpoch = (samplesPerEpoch + batch - 1) / batch;
        long done = step - 1;
        return new Cursor(done / stepsPerEpoch, (done % stepsPerEpoch) * batch);
    }
}
