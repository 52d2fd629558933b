package dev.medley.serving.load;

import java.util.Map;

/**
 * Answers {@code GET /v2/health/load}: whom a router asks that wants to know where to send the next
 * request.
 *
 * @param state {@code ready}, {@code not ready}, or {@code ending} for one that wants no more
 *     requests and answers those that come
 * @param in_flight requests under way
 * @param latency_us how long one more would take, by what recent ones took; 0 where it is not known
 * @param models the same by the model that a request names
 */
public record LoadReport(
        String state, int in_flight, long latency_us, Map<String, ModelLoad> models) {
    /** Where it is asked for. */
    public static final String PATH = "/v2/health/load";

    /** State of a server that takes requests. */
    public static final String READY = "ready";

    /** State of a server of which some models are not loaded. */
    public static final String NOT_READY = "not ready";

    /** State of a server that is about to stop. */
    public static final String ENDING = "ending";

    /** Requests of one model. */
    public record ModelLoad(int in_flight, long latency_us) {}

    public LoadReport {
        models = Map.copyOf(models);
    }
}
