package dev.medley.record.entry;

import org.jspecify.annotations.Nullable;

/**
 * An event of a run other than a step.
 *
 * @param wallMillis when
 * @param step the last one applied; 0 before the first
 * @param kind the sort of event
 * @param message one sentence for the user
 * @param worker that it is about; null for the whole run
 * @param stallNs that training stood still for it; null where it did not or nobody measured
 * @param durationNs that it took, beside training; null where it is a moment
 * @param bytes that it wrote or moved; null where it did not
 * @param value what a program may want to read: the parameter hash of {@link Kind#EPOCH}, the
 *     precision of {@link Kind#PRECISION}, the file of {@link Kind#CHECKPOINT}; null for none
 */
public record RunEvent(
        long wallMillis,
        long step,
        Kind kind,
        String message,
        @Nullable Integer worker,
        @Nullable Long stallNs,
        @Nullable Long durationNs,
        @Nullable Long bytes,
        @Nullable String value) {
    /** The sorts of events. */
    public enum Kind {
        /** The run began, or went on from a checkpoint. */
        STARTED,
        RESUMED,
        /** A machine that agents offer has joined, is gone, or grants more or less than before. */
        MACHINE,
        /** A worker left in good order. */
        LEFT,
        /** A worker became a member. */
        JOINED,
        /** A worker is gone. */
        LOST,
        /** The launcher started a worker again. */
        RESTARTED,
        /** The group changed its plan. */
        PLAN,
        /** A step was thrown away and is computed again. */
        DISCARDED,
        /** Training went on in another precision. */
        PRECISION,
        /** The state was saved. */
        CHECKPOINT,
        /** A pass over the training samples ended; value is the parameters' hash. */
        EPOCH,
        /** The best model so far was kept. */
        BEST,
        /** Something to know that did not stop the run. */
        WARNING,
        /** The run ended, well or not. */
        ENDED,
        FAILED;

        /** How a run stands whose last event this is, for whoever has nothing else to ask. */
        public RunStatus endsAs() {
            return switch (this) {
                case ENDED -> RunStatus.DONE;
                case FAILED -> RunStatus.FAILED;
                default -> RunStatus.RUNNING;
            };
        }

        /** Whether it comes again and again in a run that goes well. */
        public boolean isRepetitive() {
            return switch (this) {
                case EPOCH, CHECKPOINT, BEST, PLAN, DISCARDED, PRECISION -> true;
                default -> false;
            };
        }
    }

    /** The same in other words. */
    public RunEvent saying(String words) {
        return words.equals(message)
                ? this
                : new RunEvent(
                        wallMillis, step, kind, words, worker, stallNs, durationNs, bytes, value);
    }

    /** An event of the whole run. */
    public static RunEvent of(long wallMillis, long step, Kind kind, String message) {
        return new RunEvent(wallMillis, step, kind, message, null, null, null, null, null);
    }

    /** An event about one worker. */
    public static RunEvent ofWorker(
            long wallMillis, long step, Kind kind, int worker, String message) {
        return new RunEvent(wallMillis, step, kind, message, worker, null, null, null, null);
    }

    /** An event with a value that a program may want to read. */
    public static RunEvent withValue(
            long wallMillis, long step, Kind kind, String value, String message) {
        return new RunEvent(wallMillis, step, kind, message, null, null, null, null, value);
    }

    /** A checkpoint: how long training stood still, how long the writing took, and its size. */
    public static RunEvent checkpoint(
            long wallMillis, long step, String message, long stallNs, long durationNs, long bytes) {
        return new RunEvent(
                wallMillis, step, Kind.CHECKPOINT, message, null, stallNs, durationNs, bytes, null);
    }
}
