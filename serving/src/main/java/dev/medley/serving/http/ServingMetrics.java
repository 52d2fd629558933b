package dev.medley.serving.http;

import dev.medley.record.metrics.Exposition;
import dev.medley.serving.explain.ExplainDesk;
import dev.medley.serving.host.MemoryBudget;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.RequestFigures;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.log.RequestLog;
import dev.medley.serving.traffic.VersionTraffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Writes figures for Prometheus, under Triton's names, which boards know, and some of our own. */
final class ServingMetrics {
    private ServingMetrics() {}

    static String text(ModelHost host, ExplainDesk desk, @Nullable RequestLog log) {
        List<ServedModel> models = new ArrayList<>();
        host.entries().values().forEach(entry -> models.addAll(entry.versions()));
        Exposition out = new Exposition();
        counter(
                out,
                models,
                "nv_inference_request_success",
                "Requests that were answered",
                m -> m.requests().sum().good());
        counter(
                out,
                models,
                "nv_inference_request_failure",
                "Requests that failed",
                m -> m.requests().sum().failed());
        counter(
                out,
                models,
                "nv_inference_count",
                "Rows that were computed",
                m -> m.requests().sum().rows());
        counter(
                out,
                models,
                "nv_inference_exec_count",
                "Batches that were computed",
                m -> m.batches().all().count());
        counter(
                out,
                models,
                "nv_inference_request_duration_us",
                "Time of answered requests",
                m -> m.requests().sum().goodNs() / 1000);
        counter(
                out,
                models,
                "nv_inference_queue_duration_us",
                "Time in which requests waited",
                m -> m.requests().sum().queuedNs() / 1000);
        counter(
                out,
                models,
                "nv_inference_compute_input_duration_us",
                "Time in which batches were filled",
                m -> m.batches().all().fillNs() / 1000);
        counter(
                out,
                models,
                "nv_inference_compute_infer_duration_us",
                "Time in which models computed",
                m -> m.batches().all().forwardNs() / 1000);
        out.gauge("nv_inference_pending_request_count", "Requests under way");
        models.forEach(m -> out.sample(m.requests().sum().pending(), labels(m)));
        out.gauge("medley_serving_waiting_rows", "Rows that wait for a batch");
        models.forEach(m -> out.sample((long) m.waitingRows(), labels(m)));
        out.counter("medley_serving_sent_away_total", "Requests refused for want of room");
        models.forEach(m -> out.sample(m.batches().sentAway(), labels(m)));
        out.counter(
                "medley_serving_late_total",
                "Requests whose time was over before they were computed");
        models.forEach(m -> out.sample(m.batches().tooLate(), labels(m)));
        out.gauge("medley_serving_model_bytes", "Memory that a version took when it was loaded");
        models.forEach(m -> out.sample(m.bytes(), labels(m)));
        latency(out, models);
        beside(out, models, desk, log);
        byVersion(out, models);
        traffic(out, host);
        return out.text();
    }

    private static void byVersion(Exposition out, List<ServedModel> models) {
        out.counter(
                "medley_serving_version_latency_seconds_total",
                "Time of answered requests of a version; nv_inference_request_success counts them");
        models.forEach(m -> out.sample(m.requests().sum().goodNs() / 1e9, labels(m)));
    }

    /** Plans in force, and how versions took the place of others. */
    private static void traffic(Exposition out, ModelHost host) {
        out.gauge(
                "medley_serving_traffic_share", "Part of requests that a plan gives to a version");
        host.entries()
                .forEach(
                        (name, entry) -> {
                            VersionTraffic traffic = entry.traffic();
                            if (traffic != null) {
                                traffic.plan()
                                        .shares()
                                        .forEach(
                                                (version, share) ->
                                                        out.sample(
                                                                share,
                                                                "model",
                                                                name,
                                                                "version",
                                                                "" + version));
                            }
                        });
        out.counter("medley_serving_swaps_total", "Versions that took the place of others");
        for (String name : host.swaps().names()) {
            for (MemoryBudget.Way way :
                    List.of(MemoryBudget.Way.BESIDE, MemoryBudget.Way.DRAINED)) {
                out.sample(
                        host.swaps().count(name, way),
                        "model",
                        name,
                        "way",
                        way.name().toLowerCase(Locale.ROOT));
            }
        }
        out.counter(
                "medley_serving_swap_waits_total",
                "Requests that waited while no version was loaded");
        out.sample(host.swaps().waitedRequests());
    }

    /** One histogram over all models: its buckets have no labels of their own. */
    private static void latency(Exposition out, List<ServedModel> models) {
        List<Double> bounds = RequestFigures.BOUNDS;
        long[] counts = new long[bounds.size() + 1];
        double seconds = 0;
        for (ServedModel model : models) {
            long[] own = model.requests().latencies();
            for (int i = 0; i < counts.length; i++) {
                counts[i] += own[i];
            }
            seconds += model.requests().sum().goodNs() / 1e9;
        }
        List<Long> all = new ArrayList<>();
        for (long count : counts) {
            all.add(count);
        }
        out.histogram(
                "medley_serving_latency_seconds",
                "Time until an answer is ready",
                bounds,
                all,
                seconds);
    }

    private static void beside(
            Exposition out, List<ServedModel> models, ExplainDesk desk, @Nullable RequestLog log) {
        explanations(out, models, desk);
        logged(out, log);
    }

    private static void logged(Exposition out, @Nullable RequestLog log) {
        if (log != null) {
            out.counter("medley_serving_logged_total", "Requests that were logged");
            out.sample(log.written());
            out.counter("medley_serving_log_dropped_total", "Requests that could not be logged");
            out.sample(log.dropped());
        }
    }

    private static void explanations(Exposition out, List<ServedModel> models, ExplainDesk desk) {
        out.counter("medley_serving_explained_total", "Requests that were explained");
        out.sample(desk.explained());
        out.counter("medley_serving_explain_failures_total", "Explanations that failed");
        out.sample(desk.failed());
        out.counter("medley_serving_explain_sent_away_total", "Explanations refused for room");
        out.sample(desk.refused());
        out.counter("medley_serving_observed_rows_total", "Rows explained for the figures");
        models.forEach(m -> out.sample(m.explainer().figures().rows(), labels(m)));
        out.gauge(
                "medley_serving_contribution_mean",
                "Mean of what a column adds to the output, whatever its sign");
        for (ServedModel model : models) {
            model.explainer()
                    .figures()
                    .means()
                    .forEach(
                            (column, mean) ->
                                    out.sample(
                                            mean,
                                            "model",
                                            model.name().name(),
                                            "version",
                                            model.name().version(),
                                            "column",
                                            column));
        }
    }

    private static void counter(
            Exposition out,
            List<ServedModel> models,
            String name,
            String help,
            ToLongFunction<ServedModel> value) {
        out.counterCalled(name, help);
        models.forEach(model -> out.sample(value.applyAsLong(model), labels(model)));
    }

    private static String[] labels(ServedModel model) {
        return new String[] {"model", model.name().name(), "version", model.name().version()};
    }
}
