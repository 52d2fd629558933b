package dev.medley.serving.host;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpMessage;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Collects a message whose bytes count as they come, and ends it where there is no room for them.
 * (A message that Armeria aggregates shows its bytes when all of them are there: too late to bound
 * them.)
 *
 * <p>Thread: that of the message.
 */
public final class CountedBody implements Subscriber<HttpObject> {
    private final HttpMessage message;
    private final List<HeldBodies.Share> shares;
    private final CompletableFuture<CountedBody> whole = new CompletableFuture<>();

    /** The only piece so far, which most bodies are; else it is in {@code bytes}. */
    private @Nullable HttpData first;

    private @Nullable ByteArrayOutputStream bytes;
    private @Nullable ResponseHeaders headers;
    private HttpHeaders trailers = HttpHeaders.of();

    private CountedBody(HttpMessage message, List<HeldBodies.Share> shares) {
        this.message = message;
        this.shares = shares;
    }

    /** A request once it is there; fails with what ended it. */
    public static CompletableFuture<AggregatedHttpRequest> whole(
            HttpRequest request, HeldBodies.Share... shares) {
        return of(request, shares)
                .thenApply(
                        body ->
                                AggregatedHttpRequest.of(
                                        request.headers(), body.content(), body.trailers));
    }

    /** An answer once it is there; fails with what ended it. */
    public static CompletableFuture<AggregatedHttpResponse> whole(
            HttpResponse response, HeldBodies.Share... shares) {
        return of(response, shares)
                .thenApply(
                        body -> {
                            if (body.headers == null) {
                                throw new IllegalStateException("an answer without headers");
                            }
                            return AggregatedHttpResponse.of(
                                    body.headers, body.content(), body.trailers);
                        });
    }

    private static CompletableFuture<CountedBody> of(
            HttpMessage message, HeldBodies.Share... shares) {
        CountedBody body = new CountedBody(message, List.of(shares));
        message.subscribe(body);
        return body.whole;
    }

    private HttpData content() {
        return bytes != null
                ? HttpData.wrap(bytes.toByteArray())
                : first == null ? HttpData.empty() : first;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HttpObject next) {
        if (whole.isDone()) {
            return;
        }
        if (next instanceof ResponseHeaders begun) {
            headers = begun; // The last are the final ones; those before only inform.
        } else if (next instanceof HttpHeaders ended) {
            trailers = ended;
        } else if (next instanceof HttpData data) {
            try {
                shares.forEach(share -> share.add(data.length()));
                keep(data);
            } catch (RuntimeException e) {
                whole.completeExceptionally(e);
                first = null;
                bytes = null;
                message.abort(e);
            }
        }
    }

    private void keep(HttpData data) {
        if (data.isEmpty()) {
            return;
        }
        if (first == null) {
            first = data;
            return;
        }
        if (bytes == null) {
            bytes = new ByteArrayOutputStream(2 * (first.length() + data.length()));
            bytes.writeBytes(first.array());
        }
        bytes.writeBytes(data.array());
    }

    @Override
    public void onError(Throwable thrown) {
        whole.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
        whole.complete(this);
    }
}
