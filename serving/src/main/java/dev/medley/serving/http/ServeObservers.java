package dev.medley.serving.http;

import dev.medley.serving.explain.ExplainLimits;
import dev.medley.serving.log.RequestLog;
import dev.medley.serving.trace.ServeTraces;
import org.jspecify.annotations.Nullable;

/**
 * Says what is done beside the answers. It is closed behind the server: what waits is written then.
 *
 * @param explain how predictions are explained
 * @param log of requests, null for none
 * @param traces of requests, null for none
 */
public record ServeObservers(
        ExplainLimits explain, @Nullable RequestLog log, @Nullable ServeTraces traces)
        implements AutoCloseable {
    /** As a server is used to which nothing was said. */
    public static final ServeObservers USUAL = new ServeObservers(ExplainLimits.USUAL, null, null);

    @Override
    public void close() {
        if (log != null) {
            log.close();
        }
        if (traces != null) {
            traces.close();
        }
    }
}
