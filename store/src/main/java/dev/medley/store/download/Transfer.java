package dev.medley.store.download;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Requests what is missing of one file (RFC 9110, range requests). A server that ignores the range
 * sends the file from its first byte, and the part starts over.
 *
 * <p>Thread: used by one thread, once.
 */
final class Transfer {
    /** How a request ended. */
    sealed interface Outcome {
        /** What the server or the network did. */
        String why();

        /** The part has the length that was expected. */
        record Complete() implements Outcome {
            @Override
            public String why() {
                return "complete";
            }
        }

        /** The network or the server failed; another attempt may succeed. */
        record Broken(String why) implements Outcome {}

        /** What is here is of no use to this server: the part goes, another attempt may succeed. */
        record StartOver(String why) implements Outcome {}

        /** This address does not have the file. */
        record Refused(String why) implements Outcome {}
    }

    private static final long POLL_NS = 100_000_000L;
    private static final Pattern CONTENT_RANGE =
            Pattern.compile("bytes (?<from>\\d+)-\\d+/(?<total>\\d+|\\*)");

    private final URI url;
    private final Path part;
    private final long expectedBytes;
    private volatile @Nullable PartBody body;
    private volatile @Nullable Outcome refusal;

    Transfer(URI url, Path part, long expectedBytes) {
        this.url = url;
        this.part = part;
        this.expectedBytes = expectedBytes;
    }

    /** Whether the body continues what was there. */
    boolean isContinued() {
        PartBody receiving = body;
        return receiving != null && receiving.isContinued();
    }

    /** Runs to an end; a disk that fails is thrown, everything else is an outcome. */
    Outcome run(HttpClient client, DownloadOptions options, LongConsumer progress)
            throws IOException, InterruptedException {
        long have = Files.exists(part) ? Files.size(part) : 0;
        HttpRequest.Builder request = HttpRequest.newBuilder(url).header("User-Agent", "medley");
        if (have > 0) {
            request.header("Range", "bytes=" + have + "-");
        }
        CompletableFuture<HttpResponse<Long>> response =
                client.sendAsync(request.build(), info -> receive(info, have));
        try {
            await(response, options.idleTimeoutNs(), progress);
        } catch (TimeoutException e) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(options.idleTimeoutNs());
            return new Outcome.Broken("no byte came for %d s".formatted(seconds));
        } catch (ExecutionException e) {
            return refusal != null ? refusal : broken(e.getCause());
        } finally {
            stop();
            response.cancel(true);
        }
        return refusal != null ? refusal : lengthOutcome();
    }

    private Outcome lengthOutcome() throws IOException {
        long have = Files.size(part);
        return have == expectedBytes
                ? new Outcome.Complete()
                : new Outcome.Broken(
                        "it ended after %d of %d bytes".formatted(have, expectedBytes));
    }

    private void await(
            CompletableFuture<HttpResponse<Long>> response,
            long idleTimeoutNs,
            LongConsumer progress)
            throws InterruptedException, ExecutionException, TimeoutException {
        long seen = -1;
        for (long idleNs = 0; ; ) {
            try {
                response.get(POLL_NS, TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException e) {
                PartBody receiving = body;
                long position = receiving == null ? -1 : receiving.position();
                idleNs = position == seen ? idleNs + POLL_NS : 0;
                if (idleNs >= idleTimeoutNs) {
                    throw e;
                }
                seen = position;
                if (position >= 0) {
                    progress.accept(position);
                }
            }
        }
    }

    /** Decides by the head of the response whether its body is wanted, and from where. */
    private BodySubscriber<Long> receive(ResponseInfo info, long have) {
        int status = info.statusCode();
        if (status == 200) {
            long length = info.headers().firstValueAsLong("Content-Length").orElse(expectedBytes);
            return length == expectedBytes ? into(0) : refuse(wrongLength(length));
        }
        if (status == 206) {
            Matcher range =
                    CONTENT_RANGE.matcher(info.headers().firstValue("Content-Range").orElse(""));
            if (!range.matches() || Long.parseLong(range.group("from")) != have) {
                return refuse(new Outcome.StartOver("it answered with another range"));
            }
            String total = range.group("total");
            return total.equals("*") || Long.parseLong(total) == expectedBytes
                    ? into(have)
                    : refuse(wrongLength(Long.parseLong(total)));
        }
        if (status == 416) {
            return refuse(new Outcome.StartOver("it has no bytes from %d on".formatted(have)));
        }
        boolean passing = status >= 500 || status == 408 || status == 429;
        String why = "it answered %d%s".formatted(status, status == 404 ? " (not found)" : "");
        return refuse(passing ? new Outcome.Broken(why) : new Outcome.Refused(why));
    }

    private Outcome wrongLength(long length) {
        return new Outcome.Refused(
                "it has %d bytes, %d were expected: the publisher changed the file"
                        .formatted(length, expectedBytes));
    }

    private PartBody into(long from) {
        PartBody receiving = new PartBody(part, from, expectedBytes);
        body = receiving;
        return receiving;
    }

    private BodySubscriber<Long> refuse(Outcome outcome) {
        refusal = outcome;
        PartBody unwanted = new PartBody(part, 0, 0);
        unwanted.stop();
        return unwanted;
    }

    private void stop() {
        PartBody receiving = body;
        if (receiving != null) {
            receiving.stop();
        }
    }

    private Outcome broken(@Nullable Throwable cause) throws IOException {
        if (cause instanceof PartBody.DiskTrouble disk
                && disk.getCause() instanceof IOException trouble) {
            throw trouble;
        }
        if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
            return new Outcome.Broken(
                    "cannot reach %s: is there a network, or is a proxy needed (-Dhttps.proxyHost)?"
                            .formatted(url.getAuthority()));
        }
        return new Outcome.Broken(String.valueOf(cause));
    }
}
