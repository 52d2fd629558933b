package dev.medley.tenant.door;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.tenant.audit.AuditAsk;
import dev.medley.tenant.audit.AuditLog;
import dev.medley.tenant.quota.CallerTurns;
import dev.medley.tenant.quota.RefusalRate;
import dev.medley.tenant.read.ReadStop;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes each request, finds out who it is from, and gives it to the caller's turns. A refusal is
 * recorded before it is said, up to some a second for each caller; more are counted in the next.
 *
 * <p>Thread: event loops; what waits for disks goes through turns.
 */
final class DoorService implements HttpService {
    private static final String STRANGER = "";

    private final CallersInForce callers;
    private final DoorWork work;
    private final AuditLog audit;
    private final CallerTurns turns;
    private final RefusalRate rate;
    private final QuestionBodies bodies;
    private final Consumer<String> say;

    DoorService(
            CallersInForce callers,
            DoorWork work,
            AuditLog audit,
            CallerTurns turns,
            RefusalRate rate,
            QuestionBodies bodies,
            Consumer<String> say) {
        this.callers = callers;
        this.work = work;
        this.audit = audit;
        this.turns = turns;
        this.rate = rate;
        this.bodies = bodies;
        this.say = say;
    }

    /**
     * A first look decides whose turn it is; what is answered is decided in the turn, by the
     * policies as they are then. A body is read only of a question, and only of who proved by its
     * headers who he is.
     */
    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        RequestHeaders headers = request.headers();
        String first;
        try {
            AskedTarget target = AskedTarget.of(headers.path());
            first = proof(callers.last(), headers, target).known().caller().name();
        } catch (DoorFailure e) { // Perhaps of who has just been written into the policies.
            return inTurn(
                    ctx, headers, STRANGER, stop -> proved(ctx, request, asked(headers, stop)));
        }
        return isQuestion(headers)
                ? question(ctx, request, first)
                : inTurn(ctx, headers, first, stop -> work.answer(asked(headers, stop)));
    }

    private HttpResponse proved(
            ServiceRequestContext ctx, HttpRequest request, DoorWork.Asked asked)
            throws IOException {
        return isQuestion(request.headers())
                ? question(ctx, request, asked.name())
                : work.answer(asked);
    }

    private DoorCallers.Proof proof(DoorCallers now, RequestHeaders headers, AskedTarget target) {
        return now.prove(headers, target, audit.time().wallMs());
    }

    private static boolean isQuestion(RequestHeaders headers) {
        return headers.method() == HttpMethod.POST
                && AskedTarget.of(headers.path()).path().equals(DoorWork.QUERY_PATH);
    }

    /** Reads the body, and only then waits for a turn. */
    private HttpResponse question(ServiceRequestContext ctx, HttpRequest request, String caller) {
        RequestHeaders headers = request.headers();
        return bodies.answer(
                request,
                caller,
                body ->
                        inTurn(
                                ctx,
                                headers,
                                caller,
                                stop -> work.answer(asked(headers, body, stop))),
                failure ->
                        inTurn(
                                ctx,
                                headers,
                                caller,
                                stop -> {
                                    throw work.wrong(asked(headers, stop), failure);
                                }));
    }

    private DoorWork.Asked asked(RequestHeaders headers, ReadStop stop) throws IOException {
        return asked(headers, null, stop);
    }

    private DoorWork.Asked asked(RequestHeaders headers, @Nullable HttpData body, ReadStop stop)
            throws IOException {
        DoorWork.Asked asked;
        DoorCallers.Proof proof;
        try {
            DoorCallers now = callers.current();
            AskedTarget target = AskedTarget.of(headers.path());
            proof = proof(now, headers, target);
            HttpData read = body == null ? HttpData.empty() : body;
            asked = new DoorWork.Asked(now.policies(), proof.known(), headers, target, read, stop);
        } catch (DoorFailure e) {
            throw refused(headers, e);
        }
        if (body != null && !proof.covers(body.array())) {
            throw work.wrong(
                    asked,
                    new DoorFailure(
                            400,
                            "XAmzContentSHA256Mismatch",
                            "the body is not the one that was signed; a body has to be signed"
                                    + " here"));
        }
        return asked;
    }

    /** Who proved nothing is nobody in the record. */
    private DoorFailure refused(RequestHeaders headers, DoorFailure failure) throws IOException {
        long before = rate.before(STRANGER, audit.time().nowMs());
        if (before >= 0) {
            String more = before == 0 ? "" : " (after %d more)".formatted(before);
            String action = headers.method() + " " + path(headers);
            audit.denied(
                    0,
                    new AuditAsk(STRANGER, action, "", callers.last().policies().fileHash()),
                    failure.code() + more + ": " + failure.said());
        }
        return failure;
    }

    /** Without the query, which may hold what is no business of the audit. */
    private static String path(RequestHeaders headers) {
        int question = headers.path().indexOf('?');
        return question < 0 ? headers.path() : headers.path().substring(0, question);
    }

    private interface Answering {
        HttpResponse answer(ReadStop stop) throws IOException;
    }

    private HttpResponse inTurn(
            ServiceRequestContext ctx, RequestHeaders headers, String caller, Answering answering) {
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        ReadStop stop = new ReadStop();
        boolean isTaken =
                turns.submit(
                        caller,
                        () -> answer.complete(answered(ctx, headers, caller, stop, answering)));
        if (!isTaken) {
            rate.count(caller);
            return failed(
                    ctx,
                    headers,
                    DoorFailure.slowDown("too many requests of this caller wait already", 1));
        }
        HttpResponse response = HttpResponse.of(answer);
        CompletableFuture<Void> gone =
                CompletableFuture.anyOf(ctx.whenRequestCancelling(), response.whenComplete())
                        .handle((any, thrown) -> null);
        CompletableFuture<Void> unused =
                gone.thenRunAsync(
                        () -> {
                            if (!answer.isDone()) {
                                stop.stop();
                            }
                        },
                        ctx.blockingTaskExecutor());
        return response;
    }

    private HttpResponse answered(
            ServiceRequestContext ctx,
            RequestHeaders headers,
            String caller,
            ReadStop stop,
            Answering answering) {
        if (stop.isStopped()) {
            rate.count(caller); // He did not wait for his turn.
            return HttpResponse.ofFailure(new CancellationException("the caller has gone"));
        }
        try {
            return answering.answer(stop);
        } catch (DoorFailure e) {
            return failed(ctx, headers, e);
        } catch (IOException | RuntimeException e) {
            return unforeseen(ctx, headers, ExtractFailure.said(e));
        } catch (Error e) {
            return unforeseen(ctx, headers, e.toString()); // Whoever asks is not to wait for ever.
        }
    }

    private HttpResponse unforeseen(
            ServiceRequestContext ctx, RequestHeaders headers, String said) {
        say.accept("request %s failed: %s".formatted(id(ctx), said));
        return failed(
                ctx,
                headers,
                new DoorFailure(
                        503,
                        "ServiceUnavailable",
                        "the door cannot answer this now; its operator finds why under this"
                                + " request's number"));
    }

    private static HttpResponse failed(
            ServiceRequestContext ctx, RequestHeaders headers, DoorFailure failure) {
        return DoorReplies.failure(failure, headers.method(), path(headers), id(ctx));
    }

    private static String id(ServiceRequestContext ctx) {
        return ctx.id().shortText();
    }
}
