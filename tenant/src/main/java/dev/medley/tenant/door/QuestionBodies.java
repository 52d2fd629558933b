package dev.medley.tenant.door;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.Exceptions;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.host.HeldBodies;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads the bodies of questions, and bounds how many bytes of them are in memory: of all callers
 * together, and of each, so that one cannot keep the others from asking.
 *
 * <p>Thread: any.
 */
final class QuestionBodies {
    private static final int BODIES_OF_ONE = 32;

    private final int mostOfABody;
    private final HeldBodies all;
    private final Map<String, HeldBodies> ofCallers = new ConcurrentHashMap<>();

    /** At most so many bytes of one body, and of all. */
    QuestionBodies(int mostOfABody, long mostOfAll) {
        this.mostOfABody = mostOfABody;
        this.all = new HeldBodies(mostOfAll);
    }

    /**
     * Answers a request once its body is there; it counts until the answer has ended.
     *
     * @param caller who proved that it is his
     * @param failed answers where it does not come, or there is no room for it
     */
    HttpResponse answer(
            HttpRequest request,
            String caller,
            Function<HttpData, HttpResponse> answer,
            Function<DoorFailure, HttpResponse> failed) {
        if (request.headers().getLong(HttpHeaderNames.CONTENT_LENGTH, -1) > mostOfABody) {
            return failed.apply(tooLarge());
        }
        HeldBodies.Share share = all.share();
        HeldBodies.Share own =
                ofCallers
                        .computeIfAbsent(
                                caller, name -> new HeldBodies((long) BODIES_OF_ONE * mostOfABody))
                        .share();
        HttpResponse response =
                HttpResponse.of(
                        Body.of(request, own, share)
                                .handle(
                                        (whole, thrown) ->
                                                thrown == null
                                                        ? answer.apply(whole)
                                                        : failed.apply(failure(thrown))));
        CompletableFuture<Void> unused =
                response.whenComplete()
                        .whenComplete(
                                (nothing, thrown) -> {
                                    own.close();
                                    share.close();
                                });
        return response;
    }

    /**
     * Collects a body whose bytes count as they come. (An aggregated request that is peeked at
     * shows its bytes when all of them are there: too late to bound them.)
     */
    private static final class Body implements Subscriber<HttpObject> {
        private final HttpRequest request;
        private final HeldBodies.Share[] shares;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CompletableFuture<HttpData> whole = new CompletableFuture<>();

        private Body(HttpRequest request, HeldBodies.Share... shares) {
            this.request = request;
            this.shares = shares;
        }

        static CompletableFuture<HttpData> of(HttpRequest request, HeldBodies.Share... shares) {
            Body body = new Body(request, shares);
            request.subscribe(body);
            return body.whole;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(HttpObject next) {
            if (next instanceof HttpData data && !whole.isDone()) {
                try {
                    for (HeldBodies.Share share : shares) {
                        share.add(data.length());
                    }
                    bytes.writeBytes(data.array());
                } catch (ServingFailure e) {
                    whole.completeExceptionally(e);
                    request.abort(e);
                }
            }
        }

        @Override
        public void onError(Throwable thrown) {
            whole.completeExceptionally(thrown);
        }

        @Override
        public void onComplete() {
            whole.complete(HttpData.wrap(bytes.toByteArray()));
        }
    }

    private static DoorFailure failure(Throwable thrown) {
        return Exceptions.peel(thrown) instanceof ServingFailure full
                ? DoorFailure.slowDown(String.valueOf(full.getMessage()), 1)
                : tooLarge();
    }

    private static DoorFailure tooLarge() {
        return new DoorFailure(413, "EntityTooLarge", "the body is too long, or was cut off");
    }
}
