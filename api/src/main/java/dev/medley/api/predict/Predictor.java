package dev.medley.api.predict;

import dev.medley.api.TrainedModel;
import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.dataset.InUse;
import dev.medley.data.dataset.PredictionWriter;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.model.NewData;
import dev.medley.inference.model.Prediction;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Predicts all samples of files, blocks of them at the same time: on several threads, or in several
 * worker processes, which compute as training does. The outcome is the same; that of ONNX Runtime
 * within a thousandth, and where there are many samples the faster engine is taken; memory is
 * bounded by the blocks under way, not by the file.
 */
public final class Predictor {
    private static final int BLOCK_SAMPLES = 512;

    private final TrainedModel model;
    private final PredictOptions options;
    private String engine = "";

    /** Predicts with {@code model}. */
    public Predictor(TrainedModel model, PredictOptions options) {
        this.model = model;
        this.options = options;
    }

    /** New files, read as the model's training files were: same options, another place. */
    public static DataSpec like(TrainedModel model, Path data) {
        return NewData.like(model.description(), data);
    }

    /**
     * Predicts every sample of {@code data} and hands the predictions over in file order, on this
     * thread.
     *
     * @return how many there were
     * @throws ConfigException if the data does not fit the model, outputs of the model for it are
     *     not numbers, or the model is a language model
     */
    public long predict(
            DataSpec data, PreparationProgress progress, Consumer<Prediction> consumer) {
        return predict(encode(data, progress), progress, consumer);
    }

    /**
     * Writes every row of {@code data} with its prediction to {@code out}, in file order: CSV,
     * Parquet or JSON lines by its ending. The file appears, or replaces another, when it is whole.
     *
     * @return how many rows there were
     * @throws ConfigException as {@link #predict} does, and for another ending
     */
    public long write(DataSpec data, Path out, PreparationProgress progress) {
        PredictionWriter.requireFormat(out);
        Target target = model.description().signature().target();
        PreparedData prepared = encode(data, progress);
        try (PredictionWriter writer =
                PredictionWriter.open(prepared, Prediction.columns(target), out)) {
            long samples = predict(prepared, progress, p -> writer.add(p.row(target)));
            writer.finish();
            return samples;
        }
    }

    /** Which engine computed the last predictions, and why it; empty before, and for workers. */
    public String engine() {
        return engine;
    }

    private PreparedData encode(DataSpec data, PreparationProgress progress) {
        Target target = model.description().signature().target();
        if (target.kind() == TargetKind.TOKENS) {
            throw new ConfigException(model.folder() + " is a language model: use medley generate");
        }
        return model.encodeInputs(data, progress);
    }

    private long predict(
            PreparedData prepared, PreparationProgress progress, Consumer<Prediction> consumer) {
        long samples = prepared.validationSamples();
        try (InUse unused = InUse.begin(prepared)) {
            SoundPredictions sound = new SoundPredictions(model.description(), consumer);
            if (options.workers() == 1) {
                here(prepared, progress, sound);
            } else if (samples > 0) {
                inWorkers(prepared, progress, sound);
            }
            sound.requireAll(prepared.spec().train());
            return samples;
        }
    }

    private void here(PreparedData prepared, PreparationProgress progress, SoundPredictions sound) {
        long samples = prepared.validationSamples();
        try (OwnThreads computer = new OwnThreads(model, prepared, options, BLOCK_SAMPLES)) {
            engine = computer.why();
            BlocksInOrder blocks = new BlocksInOrder(computer, sound);
            for (long from = 0; from < samples; from += BLOCK_SAMPLES) {
                blocks.begin(from, Math.min(samples, from + BLOCK_SAMPLES));
                if (blocks.underWay() > 2 * computer.atOnce()) {
                    progress.at("predicting", blocks.handOver(), samples);
                }
            }
            while (blocks.underWay() > 0) {
                progress.at("predicting", blocks.handOver(), samples);
            }
        }
    }

    private void inWorkers(
            PreparedData prepared, PreparationProgress progress, SoundPredictions sound) {
        long samples = prepared.validationSamples();
        try (WorkerGroup group = WorkerGroup.start(model, prepared, BLOCK_SAMPLES, options)) {
            for (long done = 0; done < samples; ) {
                List<float[]> outputs = group.next();
                outputs.forEach(sound);
                done += outputs.size();
                progress.at("predicting", done, samples);
            }
        }
    }
}
