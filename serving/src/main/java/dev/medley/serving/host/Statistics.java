package dev.medley.serving.host;

import dev.medley.serving.batch.BatchFigures;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what was asked and what it took, in the records of Triton's statistics extension
 * (github.com/triton-inference-server/server, docs/protocol/extension_statistics.md). What batches
 * took counts once a batch, and not for each request that was in it.
 */
public final class Statistics {
    private Statistics() {}

    /** All of them. */
    public record All(List<OfModel> model_stats) {}

    /** Of a version of a model. */
    public record OfModel(
            String name,
            String version,
            long last_inference,
            long inference_count,
            long execution_count,
            Sums inference_stats,
            List<OfBatch> batch_stats) {}

    /** Sums by part of a request. */
    public record Sums(
            Sum success,
            Sum fail,
            Sum queue,
            Sum compute_input,
            Sum compute_infer,
            Sum compute_output,
            Sum cache_hit,
            Sum cache_miss) {}

    /** How often, and nanoseconds in all. */
    public record Sum(long count, long ns) {}

    /** Of batches of a size. */
    public record OfBatch(
            long batch_size, Sum compute_input, Sum compute_infer, Sum compute_output) {}

    /** Of all models. */
    public static All of(ModelHost host) {
        List<OfModel> all = new ArrayList<>();
        host.entries().values().forEach(e -> e.versions().forEach(m -> all.add(of(m))));
        return new All(all);
    }

    /** Of one version. */
    public static All ofOne(ServedModel model) {
        return new All(List.of(of(model)));
    }

    private static OfModel of(ServedModel model) {
        RequestFigures.Sum requests = model.requests().sum();
        BatchFigures.Sum batches = model.batches().all();
        long good = requests.good();
        long outputNs =
                Math.max(0, requests.goodNs() - requests.queuedNs() - requests.computedNs());
        List<OfBatch> bySize = new ArrayList<>();
        model.batches()
                .bySize()
                .forEach(
                        (size, sum) ->
                                bySize.add(
                                        new OfBatch(
                                                size,
                                                new Sum(sum.count(), sum.fillNs()),
                                                new Sum(sum.count(), sum.forwardNs()),
                                                new Sum(sum.count(), 0))));
        return new OfModel(
                model.name().name(),
                model.name().version(),
                requests.lastMillis(),
                requests.rows(),
                batches.count(),
                new Sums(
                        new Sum(good, requests.goodNs()),
                        new Sum(requests.failed(), requests.failedNs()),
                        new Sum(good, requests.queuedNs()),
                        new Sum(batches.count(), batches.fillNs()),
                        new Sum(batches.count(), batches.forwardNs()),
                        new Sum(good, outputNs),
                        new Sum(0, 0),
                        new Sum(0, 0)),
                bySize);
    }
}
