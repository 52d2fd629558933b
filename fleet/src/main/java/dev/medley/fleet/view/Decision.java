package dev.medley.fleet.view;

import java.util.List;
import java.util.Map;

/**
 * Says who gets which machines until the next decision.
 *
 * @param grants by job id; a job that is not among them waits
 * @param waiting one sentence for each job that waits: what for
 * @param note one sentence about the decision as a whole; empty where there is nothing to say
 */
public record Decision(List<Grant> grants, Map<Long, String> waiting, String note) {
    /** A decision about which there is nothing to say as a whole. */
    public Decision(List<Grant> grants, Map<Long, String> waiting) {
        this(grants, waiting, "");
    }

    public Decision {
        grants = List.copyOf(grants);
        waiting = Map.copyOf(waiting);
    }
}
