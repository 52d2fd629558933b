package dev.medley.tenant.door;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.Sha256;
import dev.medley.tenant.audit.AuditAsk;
import dev.medley.tenant.audit.AuditLog;
import dev.medley.tenant.quota.CallerTurns;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Takes each request, finds out who it is from, and gives it to the caller's turns. A refusal is
 * recorded before it is said, up to some a second for each caller; more are counted in the next.
 *
 * <p>Thread: event loops; what waits for disks goes through turns.
 */
final class DoorService implements HttpService {
    private static final String STRANGER = "";

    private final DoorPolicies policies;
    private final DoorWork work;
    private final AuditLog audit;
    private final CallerTurns turns;
    private final RefusalRate rate;
    private final Consumer<String> say;

    DoorService(
            DoorPolicies policies,
            DoorWork work,
            AuditLog audit,
            CallerTurns turns,
            RefusalRate rate,
            Consumer<String> say) {
        this.policies = policies;
        this.work = work;
        this.audit = audit;
        this.turns = turns;
        this.rate = rate;
        this.say = say;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        if (request.method() != HttpMethod.POST) {
            return take(ctx, request.headers(), HttpData.empty());
        }
        return HttpResponse.of(
                request.aggregate()
                        .handle(
                                (whole, thrown) ->
                                        thrown == null
                                                ? take(ctx, request.headers(), body(whole))
                                                : stranger(
                                                        ctx,
                                                        request.headers(),
                                                        new DoorFailure(
                                                                413,
                                                                "EntityTooLarge",
                                                                "the body is too long, or was cut"
                                                                        + " off"))));
    }

    private static HttpData body(AggregatedHttpRequest whole) {
        return whole.content();
    }

    /**
     * A first look decides whose turn it is; what is answered is decided in the turn, by the
     * policies as they are then.
     */
    private HttpResponse take(ServiceRequestContext ctx, RequestHeaders headers, HttpData body) {
        String hash = body.isEmpty() ? AwsSignature.EMPTY_BODY : Sha256.hex(body.array());
        String first;
        try {
            AskedTarget target = AskedTarget.of(headers.path());
            long nowMs = audit.time().nowMs();
            first = policies.last().callers().prove(headers, target, hash, nowMs).caller().name();
        } catch (DoorFailure e) {
            first = STRANGER;
        }
        return inTurn(ctx, headers, first, () -> work.answer(asked(headers, body, hash)));
    }

    private DoorWork.Asked asked(RequestHeaders headers, HttpData body, String hash)
            throws IOException {
        try {
            DoorPolicies.Now now = policies.current();
            AskedTarget target = AskedTarget.of(headers.path());
            DoorCallers.Known who =
                    now.callers().prove(headers, target, hash, audit.time().nowMs());
            return new DoorWork.Asked(now, who, headers, target, body);
        } catch (DoorFailure e) {
            throw refused(headers, e);
        }
    }

    /** Refuses who proved nothing, and records that. */
    private HttpResponse stranger(
            ServiceRequestContext ctx, RequestHeaders headers, DoorFailure failure) {
        return inTurn(
                ctx,
                headers,
                STRANGER,
                () -> {
                    throw refused(headers, failure);
                });
    }

    private DoorFailure refused(RequestHeaders headers, DoorFailure failure) throws IOException {
        long before = rate.before(STRANGER, audit.time().nowMs());
        if (before >= 0) {
            String more = before == 0 ? "" : " (after %d more)".formatted(before);
            String action = headers.method() + " " + path(headers);
            audit.denied(
                    0,
                    new AuditAsk(STRANGER, action, "", policies.last().hash()),
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
        HttpResponse answer() throws IOException;
    }

    private HttpResponse inTurn(
            ServiceRequestContext ctx, RequestHeaders headers, String caller, Answering answering) {
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        boolean isTaken =
                turns.submit(caller, () -> answer.complete(answered(ctx, headers, answering)));
        if (!isTaken) {
            rate.count(caller);
            return failed(
                    ctx,
                    headers,
                    DoorFailure.slowDown("too many requests of this caller wait already", 1));
        }
        return HttpResponse.of(answer);
    }

    private HttpResponse answered(
            ServiceRequestContext ctx, RequestHeaders headers, Answering answering) {
        try {
            return answering.answer();
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
