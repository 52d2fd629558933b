package dev.medley.hub.http;

import com.linecorp.armeria.common.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds one line of the table of routes, from which the server and its document are made.
 *
 * @param path with places in braces
 * @param right null where anybody may ask
 * @param words what it is called and does
 * @param shape what goes in and comes out
 */
record Endpoint(
        HttpMethod method,
        String path,
        @Nullable Right right,
        Words words,
        Shape shape,
        Action action) {
    /** Holds the name of a route in the document, and what it does in one sentence. */
    record Words(String name, String summary) {}

    /**
     * Holds what a route takes and answers.
     *
     * @param query names of numbers that may be given, all optional
     * @param defaults a value of the body's type whose parts stand where the body has none; null
     *     without a body
     * @param answer a record, or an array of records
     */
    record Shape(List<String> query, @Nullable Object defaults, Class<?> answer) {
        static Shape answering(Class<?> answer) {
            return new Shape(List.of(), null, answer);
        }
    }

    /** Answers a call with a value for JSON. */
    interface Action {
        Object answer(Call call);
    }

    /** Whether asking twice may do twice. */
    boolean changes() {
        return method != HttpMethod.GET;
    }
}
