package dev.medley.serving.grpc;

import dev.medley.serving.host.Statistics;

/** Writes statistics as ModelStatisticsResponse. */
final class StatisticsProto {
    private StatisticsProto() {}

    static ProtoWriter of(Statistics.All all) {
        ProtoWriter out = new ProtoWriter();
        all.model_stats().forEach(model -> out.message(1, model(model)));
        return out;
    }

    private static ProtoWriter model(Statistics.OfModel model) {
        Statistics.Sums sums = model.inference_stats();
        ProtoWriter parts =
                new ProtoWriter()
                        .message(1, sum(sums.success()))
                        .message(2, sum(sums.fail()))
                        .message(3, sum(sums.queue()))
                        .message(4, sum(sums.compute_input()))
                        .message(5, sum(sums.compute_infer()))
                        .message(6, sum(sums.compute_output()))
                        .message(7, sum(sums.cache_hit()))
                        .message(8, sum(sums.cache_miss()));
        ProtoWriter out =
                new ProtoWriter()
                        .text(1, model.name())
                        .text(2, model.version())
                        .whole(3, model.last_inference())
                        .whole(4, model.inference_count())
                        .whole(5, model.execution_count())
                        .message(6, parts);
        for (Statistics.OfBatch batch : model.batch_stats()) {
            out.message(
                    7,
                    new ProtoWriter()
                            .whole(1, batch.batch_size())
                            .message(2, sum(batch.compute_input()))
                            .message(3, sum(batch.compute_infer()))
                            .message(4, sum(batch.compute_output())));
        }
        return out;
    }

    private static ProtoWriter sum(Statistics.Sum sum) {
        return new ProtoWriter().whole(1, sum.count()).whole(2, sum.ns());
    }
}
