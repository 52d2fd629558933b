package dev.medley.serving.observe;

import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.serving.DrawnShare;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.caller.CallKey;
import dev.medley.serving.explain.ExplainDesk;
import dev.medley.serving.host.HeldModel;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.log.LoggedInputs;
import dev.medley.serving.log.LoggedRequest;
import dev.medley.serving.log.Masks;
import dev.medley.serving.log.RequestLog;
import dev.medley.serving.trace.ServeTraces;
import io.netty.util.AttributeKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Does what is done with requests that have ended, none of it on their way.
 *
 * <p>Thread: any.
 */
public final class RequestEnds {
    private static final AttributeKey<String> CALLER =
            AttributeKey.valueOf(RequestEnds.class, "caller");
    private static final AttributeKey<Boolean> IS_SEEN =
            AttributeKey.valueOf(RequestEnds.class, "seen");
    private static final AttributeKey<Throwable> REFUSAL =
            AttributeKey.valueOf(RequestEnds.class, "refusal");
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final double NS_PER_MILLI = 1e6;

    private final ModelHost host;
    private final ExplainDesk desk;
    private final @Nullable RequestLog log;
    private final DrawnShare explained;
    private final Clock clock;
    private final AtomicLong rowsDrawn = new AtomicLong();

    /** What a request asked for, encoded and as it was sent. */
    public record Given(EncodedRows rows, LoggedInputs given) {}

    /** For the models of a host. */
    public RequestEnds(ModelHost host, ExplainDesk desk, @Nullable RequestLog log, Clock clock) {
        this.host = host;
        this.desk = desk;
        this.log = log;
        this.explained = new DrawnShare(desk.limits().share());
        this.clock = clock;
    }

    /** Who asks, from now on. */
    public static void caller(ServiceRequestContext ctx, String name) {
        ctx.setAttr(CALLER, name);
    }

    /** A request was answered. */
    public void good(
            ServiceRequestContext ctx,
            ServedModel model,
            Given given,
            Computed found,
            long tookNs) {
        ServeTraces.computed(ctx, found, given.rows().rows(), model.name().version());
        add(
                ctx,
                who(ctx, model),
                given.given(),
                new LoggedRequest.Predicted(found, model.answers()),
                tookNs);
        if (explained.next() && given.rows().rows() > 0) {
            explain(model, given.rows());
        }
    }

    /**
     * A request was answered by explanations.
     *
     * @param columns that each of them has
     */
    public void explained(
            ServiceRequestContext ctx,
            ServedModel model,
            LoggedInputs given,
            List<Map<String, Object>> told,
            int columns,
            long tookNs) {
        add(ctx, who(ctx, model), given, new LoggedRequest.Explained(told, columns), tookNs);
    }

    private void add(
            ServiceRequestContext ctx,
            LoggedRequest.Who who,
            LoggedInputs given,
            LoggedRequest.Outputs outputs,
            long tookNs) {
        ctx.setAttr(IS_SEEN, true);
        if (log != null && log.isDrawn()) {
            log.add(new LoggedRequest(begun(tookNs), who, given, outputs, tookNs, 200, ""));
        }
    }

    /** A request is refused before any model sees it; it is written when it ends. */
    public static void refused(ServiceRequestContext ctx, Throwable why) {
        ctx.setAttr(REFUSAL, why);
    }

    /**
     * A request has ended. One that no model has seen is written, too.
     *
     * @param model that it names; empty where that is not known
     */
    void ended(ServiceRequestContext ctx, String model, long tookNs) {
        Throwable why = ctx.attr(REFUSAL);
        if (why != null && ctx.attr(IS_SEEN) == null) {
            LoggedRequest.Who who = who(ctx, model, "");
            failed(ctx, who, masked(why), tookNs);
        }
    }

    /**
     * A request failed.
     *
     * @return the same without what is masked
     */
    public Throwable failed(
            ServiceRequestContext ctx, ServedModel model, Throwable thrown, long tookNs) {
        Throwable told = masked(thrown);
        failed(ctx, who(ctx, model), told, tookNs);
        return told;
    }

    private void failed(
            ServiceRequestContext ctx, LoggedRequest.Who who, Throwable told, long tookNs) {
        ctx.setAttr(IS_SEEN, true);
        if (log != null && log.isDrawn()) {
            ServingFailure failure = failure(told);
            log.add(
                    new LoggedRequest(
                            begun(tookNs),
                            who,
                            null,
                            null,
                            tookNs,
                            failure.kind().http(),
                            failure.sentence()));
        }
    }

    /** The same failure without what is masked. */
    public Throwable masked(Throwable thrown) {
        return (log == null ? Masks.NONE : log.masks()).masked(thrown);
    }

    private static ServingFailure failure(Throwable told) {
        if (told instanceof ServingFailure failure) {
            return failure;
        } else if (told instanceof RequestTimeoutException) {
            return new ServingFailure(Kind.LATE, "the time for this request is over");
        } else if (told instanceof ContentTooLargeException) {
            return new ServingFailure(Kind.TOO_LARGE, "the body is too large");
        }
        return new ServingFailure(Kind.INTERNAL, "the server failed");
    }

    private long begun(long tookNs) {
        return clock.wallMillis() - Math.round(tookNs / NS_PER_MILLI);
    }

    private static LoggedRequest.Who who(ServiceRequestContext ctx, ServedModel model) {
        return who(ctx, model.name().name(), model.name().version());
    }

    /** By the name under which the caller can report what came of it. */
    private static LoggedRequest.Who who(ServiceRequestContext ctx, String model, String version) {
        String id;
        try {
            id = CallKey.of(ctx, ctx.request().headers()).id();
        } catch (ServingFailure e) { // It is refused for its name.
            id = ctx.id().text();
        }
        String caller = ctx.attr(CALLER);
        return new LoggedRequest.Who(id, caller == null ? "" : caller, model, version);
    }

    /** One row of them, for the figures; the model stays until then. */
    private void explain(ServedModel model, EncodedRows rows) {
        HeldModel held = host.again(model);
        if (held == null) {
            return;
        }
        long turn = Seeds.mix(rowsDrawn.incrementAndGet());
        int row = (int) Math.floorMod(turn, (long) rows.rows());
        long deadlineNs = clock.nowNs() + PATIENCE_NS;
        desk.observe(
                () -> model.explainer().explain(rows, row, deadlineNs),
                model.explainer().figures(),
                held::close);
    }
}
