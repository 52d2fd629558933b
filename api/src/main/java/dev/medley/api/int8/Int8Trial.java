package dev.medley.api.int8;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.run.JobRun;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.InUse;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.metric.EvaluatedBlock;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.metric.Metrics;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.OnnxModel.Precision;
import dev.medley.onnx.engine.Engine;
import dev.medley.onnx.engine.Engines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Computes the validation samples of a model's job in single precision and in eight bits. Both are
 * by ONNX Runtime on one thread; the deciding metric and the time of a block are the judges.
 */
public final class Int8Trial {
    private static final int BLOCK = 256;
    private static final int TURNS = 31;

    /** Figures that come from the loss itself, which a graph does not compute. */
    private static final Set<MetricKind> OF_LOSS = Set.of(MetricKind.LOSS, MetricKind.INERTIA);

    private final LoadedModel model;
    private final Clock clock;

    private Int8Trial(LoadedModel model, Clock clock) {
        this.model = model;
        this.clock = clock;
    }

    /**
     * Tries a model.
     *
     * @param cache where the data of its job is prepared
     * @param allowed the largest loss of the metric, as a share of it
     * @throws ConfigException if the model cannot be kept in eight bits, its job has no validation
     *     samples, or its data is not as it was
     */
    public static Int8Verdict of(LoadedModel model, Path cache, double allowed, Clock clock) {
        return new Int8Trial(model, clock).judged(cache, allowed);
    }

    private Int8Verdict judged(Path cache, double allowed) {
        JsonNode told = model.description().provenance().job();
        check(
                told.has("data") && told.has("train"),
                "%s does not say of which job it is: int8 is judged on its validation data",
                model.folder());
        JobSpec job = Json.bind(told, JobSpec.class);
        try (Engine single = Engines.onnx(model, Precision.FP32, 1);
                Engine bytes = Engines.onnx(model, Precision.INT8, 1)) {
            PreparedData data = JobRun.prepare(job, cache, PreparationProgress.NONE);
            check(
                    data.encoding().equals(model.encoding()),
                    "%s: the data of its job is not what it was trained on, and int8 is judged on"
                            + " that",
                    model.folder());
            check(
                    data.validationSamples() > 0,
                    "%s: its job has no validation samples (data.split), on which int8 is judged",
                    model.folder());
            try (InUse unused = InUse.begin(data);
                    TrainingData samples = model.open(data)) {
                return judged(single, bytes, samples, metric(job.train()), allowed);
            }
        }
    }

    private Metric metric(TrainSpec train) {
        Target target = model.description().signature().target();
        List<MetricSpec> all = new ArrayList<>(train.metricsFor(target));
        all.addAll(TrainSpec.usualMetrics(target.kind()));
        return all.stream()
                .filter(spec -> !OF_LOSS.contains(spec.kind()))
                .findFirst()
                .map(spec -> Metrics.of(spec, target))
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        model.folder()
                                                + ": has no metric but its loss, and int8 is not"
                                                + " judged by that"));
    }

    private Int8Verdict judged(
            Engine single, Engine bytes, TrainingData samples, Metric metric, double allowed) {
        long count = samples.validationSamples();
        List<double[]> before = new ArrayList<>();
        List<double[]> after = new ArrayList<>();
        for (long from = 0; from < count; from += BLOCK) {
            Batch batch = samples.validation(from, Math.min(count, from + BLOCK));
            before.add(metric.values(evaluated(single.forward(batch), batch)));
            after.add(metric.values(evaluated(bytes.forward(batch), batch)));
        }
        Batch batch = samples.validation(0, Math.min(count, BLOCK)).copy();
        long[] beforeNs = new long[TURNS];
        long[] afterNs = new long[TURNS];
        for (int turn = 0; turn < TURNS; turn++) { // By turns, so that a busy moment hits both.
            beforeNs[turn] = timed(single, batch);
            afterNs[turn] = timed(bytes, batch);
        }
        return Int8Verdict.of(
                metric.name(),
                metric.isHigherBetter(),
                metric.figure(before),
                metric.figure(after),
                median(beforeNs),
                median(afterNs),
                batch.samples(),
                count,
                allowed);
    }

    private long timed(Engine engine, Batch batch) {
        long beginNs = clock.nowNs();
        engine.forward(batch);
        return clock.nowNs() - beginNs;
    }

    private static long median(long[] times) {
        Arrays.sort(times);
        return times[times.length / 2];
    }

    private static EvaluatedBlock evaluated(float[] outputs, Batch batch) {
        int width = outputs.length / batch.samples();
        HostArray array = HostArray.allocate(ElementType.FLOAT32, batch.samples(), width);
        array.data().buffer().asFloatBuffer().put(outputs);
        return new EvaluatedBlock(
                array,
                batch.target(),
                batch.weights(),
                Double.NaN,
                Double.NaN,
                batch.samples(),
                batch.inputs());
    }
}
