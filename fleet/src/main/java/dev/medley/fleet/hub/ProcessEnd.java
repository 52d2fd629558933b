package dev.medley.fleet.hub;

/**
 * Says how a job's process ended.
 *
 * @param outcome what became of the job
 * @param sentence for its user
 */
public record ProcessEnd(Outcome outcome, String sentence) {
    /** What became of it. */
    public enum Outcome {
        /** It has its model. */
        DONE,
        /** It kept a checkpoint on the hub's word. */
        STOPPED,
        /** Its input cannot be used: trying again is no use. */
        REFUSED,
        /** It broke off, or was killed: what it kept is gone on with. */
        BROKEN
    }
}
