package dev.medley.fleet.view;

import java.util.List;
import java.util.Map;

/**
 * Says who gets which machines until the next decision.
 *
 * @param grants by job; a job that is not among them waits
 * @param waiting one sentence for each job that waits: what for
 * @param note one sentence about the decision as a whole; empty where there is nothing to say
 * @param carried what the policy wants to know again the next time
 */
public record Decision(
        List<Grant> grants, Map<Long, String> waiting, String note, Carried carried) {
    public Decision {
        grants = List.copyOf(grants);
        waiting = Map.copyOf(waiting);
    }

    /** A decision of a policy that carries nothing, and has nothing to say as a whole. */
    public Decision(List<Grant> grants, Map<Long, String> waiting) {
        this(grants, waiting, "", Carried.NONE);
    }

    /** The same with a sentence about it as a whole. */
    public Decision withNote(String sentence) {
        return new Decision(grants, waiting, sentence, carried);
    }
}
