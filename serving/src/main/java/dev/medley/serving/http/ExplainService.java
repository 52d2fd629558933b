package dev.medley.serving.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.time.Clock;
import dev.medley.inference.explain.Explanation;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.explain.ExplainDesk;
import dev.medley.serving.explain.RowExplainer;
import dev.medley.serving.host.HeldBodies;
import dev.medley.serving.host.HeldModel;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.input.RowTable;
import dev.medley.serving.log.LoggedInputs;
import dev.medley.serving.observe.RequestEnds;
import dev.medley.serving.protocol.RowsOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers what each column of a row adds to its prediction. Rows are read, predicted and explained
 * on the desk's threads; the model is held until the answer is written.
 */
final class ExplainService implements HttpService {
    /** The name of the output that is explained. */
    private static final String OUTPUT = "output";

    /** What is kept of a request's time for writing the answer. */
    private static final int WRITING_SHARE = 20;

    private final ModelHost host;
    private final HeldBodies bodies;
    private final ServerLimits limits;
    private final ExplainDesk desk;
    private final RequestEnds ends;
    private final Clock clock;

    ExplainService(
            ModelHost host,
            HeldBodies bodies,
            ServerLimits limits,
            ExplainDesk desk,
            RequestEnds ends,
            Clock clock) {
        this.host = host;
        this.bodies = bodies;
        this.limits = limits;
        this.desk = desk;
        this.ends = ends;
        this.clock = clock;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        long beginNs = clock.nowNs();
        long requestNs = limits.request().toNanos();
        long deadlineNs = beginNs + requestNs - requestNs / WRITING_SHARE;
        HeldModel held = host.hold(String.valueOf(ctx.pathParam("model")), null);
        HeldBodies.Share share = bodies.share();
        try {
            return HttpResponse.of(
                    InferService.whole(request, share, limits.bodyBytes())
                            .thenCompose(
                                    whole ->
                                            desk.submit(
                                                    () ->
                                                            answer(
                                                                    ctx,
                                                                    whole,
                                                                    held.model(),
                                                                    beginNs,
                                                                    deadlineNs),
                                                    deadlineNs))
                            .handle(
                                    (response, thrown) -> {
                                        share.close();
                                        HttpResponse told =
                                                thrown == null
                                                        ? response
                                                        : Answers.failed(
                                                                ends.failed(
                                                                        ctx,
                                                                        held.model(),
                                                                        thrown,
                                                                        clock.nowNs() - beginNs));
                                        held.close();
                                        return told;
                                    }));
        } catch (ServingFailure e) {
            share.close();
            held.close();
            throw e;
        }
    }

    private HttpResponse answer(
            ServiceRequestContext ctx,
            AggregatedHttpRequest request,
            ServedModel model,
            long beginNs,
            long deadlineNs) {
        RowTable table = Ways.table(model, request);
        ServingFailure.check(
                table.rows().size() <= desk.limits().rows(),
                "%d rows are too many to explain in one request: %d are the most",
                table.rows().size(),
                desk.limits().rows());
        String asked = ctx.queryParam(OUTPUT);
        if (asked == null && !Ways.isCsv(request)) {
            asked = RowsOption.text(request.content().array(), OUTPUT);
        }
        RowExplainer.Answer found =
                model.explainer().explain(model.reader().rows(table), asked, deadlineNs);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("model_name", model.name().name());
        all.put("model_version", model.name().version());
        all.put("method", found.method());
        all.put("background", found.background());
        all.put("scale", found.scale());
        List<Map<String, Object>> rows = new ArrayList<>();
        found.rows().forEach(row -> rows.add(told(row, found.columns())));
        all.put("explanations", rows);
        HttpResponse response = Answers.json(all);
        ends.explained(
                ctx,
                model,
                new LoggedInputs.OfTable(table),
                rows,
                found.columns().size(),
                clock.nowNs() - beginNs);
        return response;
    }

    private static Map<String, Object> told(RowExplainer.Explained row, List<String> columns) {
        Explanation why = row.why();
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("prediction", row.prediction());
        told.put(OUTPUT, row.output().name());
        told.put("base", why.base());
        told.put("sum", why.output());
        told.put("contributions", byName(columns, why.contributions()));
        if (!why.errors().isEmpty()) {
            told.put("standard_errors", byName(columns, why.errors()));
            told.put("walks", why.walks());
            told.put("complete", why.isWhole());
        }
        return told;
    }

    private static Map<String, @Nullable Double> byName(List<String> names, List<Double> values) {
        Map<String, @Nullable Double> named = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            double value = values.get(i);
            named.put(names.get(i), Double.isFinite(value) ? value : null);
        }
        return named;
    }
}
