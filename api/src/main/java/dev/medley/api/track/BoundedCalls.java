package dev.medley.api.track;

import dev.medley.base.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests that end: each by its own time, all by one for the whole, and at once when they
 * are stopped. The client's own limit ends with the first line of an answer, so it is none.
 *
 * <p>Thread: calls on one at a time; {@link #stop} and {@link #endAfter} from any.
 */
final class BoundedCalls {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final long SLOWEST_BYTES_PER_SECOND = 256 << 10;
    private static final int LONGEST_ANSWER = 16 << 20;

    private final Duration answer;
    private final Clock clock;
    private final long beginNs;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    private volatile boolean isStopped;
    private volatile @Nullable CompletableFuture<?> underWay;
    private volatile long mostNs = Long.MAX_VALUE;
    private volatile long movedNs;
    private volatile boolean isSending;
    private long answered;

    /** Calls each of which is answered within {@code answer}, or has failed. */
    BoundedCalls(Duration answer, Clock clock) {
        this.answer = answer;
        this.clock = clock;
        this.beginNs = clock.nowNs();
    }

    /** What files of so many bytes may take at most. */
    static Duration timeOf(long bytes) {
        return Duration.ofMillis(1000 * bytes / SLOWEST_BYTES_PER_SECOND);
    }

    /** From now on, calls have so much time in all. */
    void endAfter(Duration all) {
        mostNs = clock.nowNs() - beginNs + all.toNanos();
    }

    /** Ends the call under way, and those to come before they begin. */
    void stop() {
        isStopped = true;
        CompletableFuture<?> call = underWay;
        if (call != null) {
            boolean unused = call.cancel(true);
        }
    }

    /** Whether another call may begin. */
    boolean canGoOn() {
        return !isStopped && clock.nowNs() - beginNs < mostNs;
    }

    /** So many calls were answered as yet, however. */
    long answered() {
        return answered;
    }

    /** The answer to a request with a short body, or none. */
    HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException {
        isSending = false;
        return sent(request.build(), answer);
    }

    /** The answer to a file; it fails also where the server takes no more of it for a while. */
    HttpResponse<byte[]> put(HttpRequest.Builder request, Path file) throws IOException {
        long bytes = Files.size(file);
        BodyPublisher body =
                bytes == 0
                        ? BodyPublishers.noBody()
                        : BodyPublishers.fromPublisher(
                                BodyPublishers.ofInputStream(() -> watched(file)), bytes);
        isSending = bytes > 0;
        return sent(request.PUT(body).build(), answer.plus(timeOf(bytes)));
    }

    private InputStream watched(Path file) {
        try {
            return new FilterInputStream(Files.newInputStream(file)) {
                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    movedNs = clock.nowNs();
                    int read = in.read(into, from, length);
                    if (read < 0) {
                        isSending = false; // What the server does with all of it may take longer.
                    }
                    return read;
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse<byte[]> sent(HttpRequest request, Duration most) throws IOException {
        long nowNs = clock.nowNs();
        long untilNs = nowNs + Math.min(most.toNanos(), mostNs - (nowNs - beginNs));
        movedNs = nowNs;
        CompletableFuture<HttpResponse<byte[]>> call = http.sendAsync(request, info -> limited());
        underWay = call;
        try {
            while (!isStopped) {
                long leftNs = untilNs - clock.nowNs();
                long unmovedNs = clock.nowNs() - movedNs;
                if (leftNs <= 0 || (isSending && unmovedNs > answer.toNanos())) {
                    throw new IOException(isSending ? "it takes no more" : "no answer in time");
                }
                HttpResponse<byte[]> said = within(call, Math.min(leftNs, answer.toNanos()));
                if (said != null) {
                    answered++;
                    return said;
                }
            }
            throw new IOException("stopped");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            boolean unused = call.cancel(true);
            underWay = null;
        }
    }

    private HttpResponse.BodySubscriber<byte[]> limited() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        return HttpResponse.BodySubscribers.mapping(
                HttpResponse.BodySubscribers.ofByteArrayConsumer(
                        part ->
                                part.ifPresent(
                                        bytes -> {
                                            if (all.size() + bytes.length <= LONGEST_ANSWER) {
                                                all.writeBytes(bytes);
                                            }
                                        })),
                unused -> all.toByteArray());
    }

    private @Nullable HttpResponse<byte[]> within(
            CompletableFuture<HttpResponse<byte[]>> call, long ns)
            throws IOException, InterruptedException {
        try {
            return call.get(Math.max(1, ns), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (java.util.concurrent.CancellationException e) {
            throw new IOException("stopped", e);
        } catch (ExecutionException e) {
            Throwable why = e.getCause();
            String said = why == null ? null : why.getMessage();
            boolean isUnreached = said == null || why instanceof HttpConnectTimeoutException;
            throw new IOException(isUnreached ? "nobody answers" : said, e);
        }
    }
}
