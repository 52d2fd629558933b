package dev.medley.tenant.door;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.Exceptions;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.host.CountedBody;
import dev.medley.serving.host.HeldBodies;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

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
                        CountedBody.whole(request, own, share)
                                .handle(
                                        (whole, thrown) ->
                                                thrown == null
                                                        ? answer.apply(whole.content())
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

    private static DoorFailure failure(Throwable thrown) {
        return Exceptions.peel(thrown) instanceof ServingFailure full
                ? DoorFailure.slowDown(String.valueOf(full.getMessage()), 1)
                : tooLarge();
    }

    private static DoorFailure tooLarge() {
        return new DoorFailure(413, "EntityTooLarge", "the body is too long, or was cut off");
    }
}
