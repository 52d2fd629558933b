package dev.medley.serving;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Ends one request, with a sentence for who asked. Its kind says how each protocol tells it.
 *
 * <p>It has no stack trace: what a caller did wrong says nothing of where in our code.
 */
public final class ServingFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Kinds, each with its status in HTTP and in gRPC. */
    public enum Kind {
        /** The request cannot be understood, or does not fit the model. */
        INVALID(400, 3),
        UNAUTHENTICATED(401, 16),
        FORBIDDEN(403, 7),
        /** There is no such model, version or path. */
        NOT_FOUND(404, 5),
        /** It is there, and not as the request needs it. */
        CONFLICT(409, 9),
        /** More bytes than the server takes. */
        TOO_LARGE(413, 8),
        /** The caller asks too much: later it may go. */
        TOO_MANY(429, 8),
        /** The model gave what is no answer, or the server failed. */
        INTERNAL(500, 13),
        /** Not now: the model is being loaded, the queue is full, the server ends. */
        UNAVAILABLE(503, 14),
        /** The time that the request had is over. */
        LATE(504, 4);

        private final int http;
        private final int grpc;

        Kind(int http, int grpc) {
            this.http = http;
            this.grpc = grpc;
        }

        /** Its status of HTTP. */
        public int http() {
            return http;
        }

        /** Its code of gRPC. */
        public int grpc() {
            return grpc;
        }
    }

    private final Kind kind;
    private final long retryAfterS;

    /** A failure of {@code kind}; {@code sentence} is shown to the caller. */
    public ServingFailure(Kind kind, String sentence) {
        this(kind, sentence, 1);
    }

    /** The same, after which a caller may come back in so many seconds. */
    public ServingFailure(Kind kind, String sentence, long retryAfterS) {
        super(sentence, null, false, false);
        this.kind = kind;
        this.retryAfterS = retryAfterS;
    }

    /** A request that does not fit. */
    public static ServingFailure invalid(String format, @Nullable Object... values) {
        return new ServingFailure(Kind.INVALID, String.format(Locale.ROOT, format, values));
    }

    /** Throws {@link #invalid} unless {@code holds}. */
    public static void check(boolean holds, String format, @Nullable Object... values) {
        if (!holds) {
            throw invalid(format, values);
        }
    }

    /** Its kind. */
    public Kind kind() {
        return kind;
    }

    /** Seconds after which it may go, where it is for want of room. */
    public long retryAfterS() {
        return retryAfterS;
    }

    /** What is said; never null. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
