package dev.medley.hub.http;

import dev.medley.hub.http.HubCaller.Role;
import org.jspecify.annotations.Nullable;

/**
 * Describes one thing that can be asked: the server, and the page that describes it, are made of
 * these.
 *
 * @param path with {@code {id}} where a job's number stands
 * @param body type of what is sent; null for nothing
 * @param answer type of what comes back
 */
record HubRoute(
        String method,
        String path,
        Role role,
        String summary,
        @Nullable Class<?> body,
        Class<?> answer,
        Handler handler) {
    /** Answers a call. */
    @FunctionalInterface
    interface Handler {
        Object answer(HubCall call);
    }
}
