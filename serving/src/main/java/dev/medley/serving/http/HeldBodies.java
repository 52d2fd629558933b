package dev.medley.serving.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of all bodies that are read or waited for, so that slow callers hold no memory.
 *
 * <p>Thread: any.
 */
final class HeldBodies {
    private final long most;
    private final int mostOfOne;
    private final AtomicLong held = new AtomicLong();

    HeldBodies(ServerLimits limits) {
        this.most = limits.heldBytes();
        this.mostOfOne = limits.bodyBytes();
    }

    /**
     * Takes room for a body, of the length that it says or the most that one may have.
     *
     * @return the bytes, for {@link #release}
     */
    long take(HttpRequest request) {
        long said = request.headers().getLong(HttpHeaderNames.CONTENT_LENGTH, -1);
        if (said > mostOfOne) {
            throw new ServingFailure(
                    Kind.TOO_LARGE,
                    "a body of %d bytes is too large: %d are the most".formatted(said, mostOfOne));
        }
        long bytes = said >= 0 ? said : Math.min(mostOfOne, most / 16);
        if (held.addAndGet(bytes) > most) {
            held.addAndGet(-bytes);
            throw new ServingFailure(
                    Kind.UNAVAILABLE, "too many large requests at the same time: try again");
        }
        return bytes;
    }

    void release(long bytes) {
        held.addAndGet(-bytes);
    }
}
