package dev.medley.base;

import java.util.ArrayList;
import java.util.List;

/**
 * Says how many samples each step of a run takes: a constant number for a stretch of steps, then
 * perhaps another. The samples of a step follow only from this and the step's number. So a step
 * that was discarded takes the same samples again, and a change of the batch repeats no sample and
 * leaves none out. The last step of an epoch takes the rest of it.
 *
 * <p>Cost: each question walks over the changes; a run has some tens of them at most.
 *
 * @param changes in order of steps; the first is from step 1
 */
public record BatchSizes(List<Change> changes) {
    /**
     * A stretch of steps begins.
     *
     * @param fromStep its first step
     * @param samples of each of its steps, over all workers
     */
    public record Change(long fromStep, int samples) {}

    /** A stretch, and the cursor before its first step. */
    private record Stretch(Change change, Cursor start, long samplesPerEpoch) {
        /** Steps that use up the epoch in which the stretch begins. */
        long stepsOfFirstEpoch() {
            return ceil(samplesPerEpoch - start.position(), change.samples());
        }

        long stepsPerEpoch() {
            return ceil(samplesPerEpoch, change.samples());
        }

        Cursor before(long step) {
            long done = step - change.fromStep();
            if (done < stepsOfFirstEpoch()) {
                return new Cursor(start.epoch(), start.position() + done * change.samples());
            }
            long beyond = done - stepsOfFirstEpoch();
            return new Cursor(
                    start.epoch() + 1 + beyond / stepsPerEpoch(),
                    beyond % stepsPerEpoch() * change.samples());
        }

        long stepOf(Cursor sample) {
            if (sample.epoch() == start.epoch()) {
                return change.fromStep()
                        + (sample.position() - start.position()) / change.samples();
            }
            return change.fromStep()
                    + stepsOfFirstEpoch()
                    + (sample.epoch() - start.epoch() - 1) * stepsPerEpoch()
                    + sample.position() / change.samples();
        }

        private static long ceil(long dividend, long divisor) {
            return (dividend + divisor - 1) / divisor;
        }
    }

    public BatchSizes {
        changes = List.copyOf(changes);
        if (changes.isEmpty() || changes.get(0).fromStep() != 1) {
            throw new IllegalArgumentException("batch sizes from step 1 on, not " + changes);
        }
    }

    /** The same for all steps. */
    public static BatchSizes of(int samples) {
        return new BatchSizes(List.of(new Change(1, samples)));
    }

    /** From {@code step} on another number; what was said of later steps is void. */
    public BatchSizes from(long step, int samples) {
        List<Change> next = new ArrayList<>(changes);
        next.removeIf(change -> change.fromStep() >= step);
        if (next.isEmpty() || next.get(next.size() - 1).samples() != samples) {
            next.add(new Change(step, samples));
        }
        return new BatchSizes(next);
    }

    /** The stretch that does not end. */
    public Change last() {
        return changes.get(changes.size() - 1);
    }

    /** The cursor before a step. */
    public Cursor before(long step, long samplesPerEpoch) {
        return stretchOf(step, samplesPerEpoch).before(step);
    }

    /** Samples of a step; the last of an epoch may have fewer than the others. */
    public long samples(long step, long samplesPerEpoch) {
        Stretch stretch = stretchOf(step, samplesPerEpoch);
        return stretch.before(step).samplesInStep(stretch.change().samples(), samplesPerEpoch);
    }

    /** The step that takes the sample after {@code sample}. */
    public long stepOf(Cursor sample, long samplesPerEpoch) {
        Stretch found = new Stretch(changes.get(0), Cursor.START, samplesPerEpoch);
        for (Change change : changes.subList(1, changes.size())) {
            Cursor start = found.before(change.fromStep());
            if (isBefore(sample, start)) {
                break;
            }
            found = new Stretch(change, start, samplesPerEpoch);
        }
        return found.stepOf(sample);
    }

    /** The stretch in which a step lies. */
    private Stretch stretchOf(long step, long samplesPerEpoch) {
        Stretch found = new Stretch(changes.get(0), Cursor.START, samplesPerEpoch);
        for (Change change : changes.subList(1, changes.size())) {
            if (change.fromStep() > step) {
                break;
            }
            found = new Stretch(change, found.before(change.fromStep()), samplesPerEpoch);
        }
        return found;
    }

    private static boolean isBefore(Cursor one, Cursor other) {
        return one.epoch() < other.epoch()
                || (one.epoch() == other.epoch() && one.position() < other.position());
    }
}
