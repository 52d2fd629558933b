package dev.medley.hub.http;

import dev.medley.base.ConfigException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds one request that was found in order.
 *
 * @param path values of the path's places, by name
 * @param query by name
 * @param body null where the route takes none
 */
record Call(
        Bearer caller, Map<String, String> path, Map<String, String> query, @Nullable Object body) {
    /** The number of the job that the path names. */
    long job() {
        String given = path.getOrDefault("id", "");
        try {
            return Long.parseLong(given);
        } catch (NumberFormatException e) {
            throw new Refusal(404, "'%s' is no number of a job: ask for /jobs".formatted(given));
        }
    }

    /** A number of the query; {@code usual} where it was not given. */
    double number(String name, double usual) {
        String given = query.get(name);
        if (given == null) {
            return usual;
        }
        try {
            double number = Double.parseDouble(given);
            ConfigException.check(Double.isFinite(number), "%s=%s: give a number", name, given);
            return number;
        } catch (NumberFormatException e) {
            throw new Refusal(400, "%s=%s: give a number".formatted(name, given));
        }
    }

    /** The body, which the route takes. */
    <T> T body(Class<T> type) {
        if (body == null) {
            throw new IllegalStateException("this route takes no body");
        }
        return type.cast(body);
    }
}
