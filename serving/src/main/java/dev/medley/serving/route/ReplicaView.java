package dev.medley.serving.route;

import org.jspecify.annotations.Nullable;

/**
 * Shows a server at a moment, for pages and figures.
 *
 * @param why it is out; empty for one that answers
 * @param since_s seconds in that state
 * @param sent requests of this router that are under way there
 * @param in_flight requests under way there, by its own word; null where it does not tell
 * @param latency_ms of one more, by its own word or as seen; 0 where it is not known
 * @param answers it gave
 * @param failures requests that it took and did not answer
 * @param chosen why it was chosen the last time
 */
public record ReplicaView(
        String server,
        ReplicaState state,
        String why,
        double since_s,
        int sent,
        @Nullable Integer in_flight,
        double latency_ms,
        long answers,
        long failures,
        String chosen) {}
