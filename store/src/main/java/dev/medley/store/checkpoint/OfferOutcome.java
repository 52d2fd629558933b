package dev.medley.store.checkpoint;

import java.util.List;

/**
 * The outcome of an offer, with the writes that ended since the last call.
 *
 * @param step that was offered
 * @param status whether a copy of it is now being written
 * @param message one sentence for the user
 * @param bytes copied; 0 unless staged
 * @param stagingNs how long the caller was held up: the cost of the checkpoint to training
 * @param finished writes that ended since the last call, failed ones too: each is reported once
 */
public record OfferOutcome(
        long step,
        Status status,
        String message,
        long bytes,
        long stagingNs,
        List<WriteResult> finished) {
    /** What became of an offer. */
    public enum Status {
        /** Copied; the writer has it. */
        STAGED,
        /** The write of an earlier step is still under way: nothing was copied. */
        SKIPPED,
        /** There is no memory to stage it: nothing was copied. */
        REFUSED
    }

    public OfferOutcome {
        finished = List.copyOf(finished);
    }

    /** Whether the state is being written. */
    public boolean isStaged() {
        return status == Status.STAGED;
    }
}
