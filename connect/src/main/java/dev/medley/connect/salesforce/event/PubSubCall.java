package dev.medley.connect.salesforce.event;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Holds one call of gRPC that is under way: messages go out as they are written and come in as they
 * are asked for, one object of HTTP at a time, so that memory is bounded by one message.
 *
 * <p>Thread: that of the sync.
 */
final class PubSubCall implements AutoCloseable {
    private static final int HEAD_BYTES = 5;
    private static final int LARGEST_MESSAGE_BYTES = 8 << 20;
    private static final Object END = new Object();

    private final String what;
    private final HttpRequestWriter request;
    private final HttpResponse response;
    private final BlockingQueue<Object> came = new LinkedBlockingQueue<>();
    private @Nullable Subscription subscription;
    private byte[] buffer = new byte[1 << 12];
    private int filled;
    private HttpHeaders last = HttpHeaders.of();

    /** Begins to listen; {@code what} is called by what name in messages. */
    PubSubCall(String what, HttpRequestWriter request, HttpResponse response) {
        this.what = what;
        this.request = request;
        this.response = response;
        response.subscribe(
                new Subscriber<HttpObject>() {
                    @Override
                    public void onSubscribe(Subscription to) {
                        came.add(to);
                    }

                    @Override
                    public void onNext(HttpObject object) {
                        came.add(object);
                    }

                    @Override
                    public void onError(Throwable thrown) {
                        came.add(thrown);
                    }

                    @Override
                    public void onComplete() {
                        came.add(END);
                    }
                });
    }

    /** Sends a message. */
    void send(byte[] message) {
        ByteBuffer framed = ByteBuffer.allocate(HEAD_BYTES + message.length);
        framed.put((byte) 0).putInt(message.length).put(message);
        boolean unused = request.tryWrite(HttpData.wrap(framed.array()));
    }

    /** Says that no more messages go out. */
    void end() {
        request.close();
    }

    /** The next message; null where none came within {@code longestNs}. */
    byte @Nullable [] next(long longestNs) throws IOException {
        while (true) {
            byte[] message = framed();
            if (message != null) {
                return message;
            }
            Object object = poll(longestNs);
            if (object == null) {
                return null;
            }
            take(object);
        }
    }

    private @Nullable Object poll(long longestNs) throws IOException {
        try {
            return came.poll(longestNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(what + ": interrupted", e);
        }
    }

    private void take(Object object) throws IOException {
        if (object instanceof Subscription begun) {
            subscription = begun;
        } else if (object instanceof HttpData data) {
            append(data.array());
        } else if (object instanceof ResponseHeaders headers
                && !headers.status().isInformational()) {
            requireGrpc(headers);
            last = headers;
        } else if (object instanceof HttpHeaders trailers) {
            last = trailers;
        } else if (object instanceof Throwable thrown) {
            throw new PubSubFailure(
                    PubSubFailure.UNAVAILABLE,
                    "",
                    "%s: the connection failed: %s".formatted(what, words(thrown)));
        } else if (object == END) {
            throw ended();
        }
        if (subscription != null) {
            subscription.request(1);
        }
    }

    private static String words(Throwable thrown) {
        Throwable root = thrown;
        for (int i = 0; i < 10 && root.getCause() != null; i++) {
            root = root.getCause();
        }
        String said = root.getMessage();
        return said == null ? root.getClass().getSimpleName() : said;
    }

    private void requireGrpc(ResponseHeaders headers) throws PubSubFailure {
        if (headers.status() != HttpStatus.OK) {
            boolean isPassing = headers.status().isServerError() || headers.status().code() == 429;
            throw new PubSubFailure(
                    isPassing ? PubSubFailure.UNAVAILABLE : PubSubFailure.INTERNAL - 1,
                    "",
                    "%s: it answers %s and is no Pub/Sub API, or not now"
                            .formatted(what, headers.status()));
        }
    }

    /** What the last headers say of a call that is over. */
    private PubSubFailure ended() {
        String text = last.get("grpc-status", "");
        int status = text.matches("\\d{1,3}") ? Integer.parseInt(text) : PubSubFailure.UNAVAILABLE;
        if (status == 0) {
            return new PubSubFailure(
                    PubSubFailure.UNAVAILABLE, "", what + ": it ended before its time");
        }
        String code = last.get("error-code", "");
        return new PubSubFailure(
                status,
                code,
                "%s: gRPC status %d%s: %s"
                        .formatted(
                                what,
                                status,
                                code.isEmpty() ? "" : " (" + shortened(code) + ")",
                                shortened(decoded(last.get("grpc-message", "no reason given")))));
    }

    private static String decoded(String message) {
        try {
            return URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return message;
        }
    }

    private static String shortened(String said) {
        String line = said.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() > 300 ? line.substring(0, 300) + "..." : line;
    }

    private void append(byte[] more) {
        if (buffer.length - filled < more.length) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, filled + more.length));
        }
        System.arraycopy(more, 0, buffer, filled, more.length);
        filled += more.length;
    }

    /** A message that is there whole. */
    private byte @Nullable [] framed() throws IOException {
        if (filled < HEAD_BYTES) {
            return null;
        }
        int length = ByteBuffer.wrap(buffer, 1, 4).getInt();
        if (buffer[0] != 0 || length < 0 || length > LARGEST_MESSAGE_BYTES) {
            throw new IOException(
                    "%s: a message of %,d bytes%s, which is none of the Pub/Sub API"
                            .formatted(
                                    what,
                                    Integer.toUnsignedLong(length),
                                    buffer[0] == 0 ? "" : " that is packed"));
        }
        int end = HEAD_BYTES + length;
        if (filled < end) {
            return null;
        }
        byte[] message = Arrays.copyOfRange(buffer, HEAD_BYTES, end);
        System.arraycopy(buffer, end, buffer, 0, filled - end);
        filled -= end;
        return message;
    }

    @Override
    public void close() {
        request.abort();
        response.abort();
    }
}
