package dev.medley.api.predict;

import dev.medley.api.TrainedModel;
import dev.medley.api.run.RunOptions;
import dev.medley.base.Clock;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.store.dataset.Datasets;
import dev.medley.store.dataset.PredictionWriter;
import dev.medley.store.dataset.PreparedData;
import dev.medley.store.dataset.TrainingData;
import dev.medley.store.shard.Progress;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Predicts all samples of files, blocks of them at the same time on several threads; memory is
 * bounded by the blocks under way, not by the file.
 */
public final class Predictor {
    private static final int BLOCK_SAMPLES = 512;

    private final TrainedModel model;
    private final int threads;

    /** Predicts with {@code threads} threads, each of which computes alone. */
    public Predictor(TrainedModel model, int threads) {
        this.model = model;
        this.threads = threads;
    }

    /** New files, read as the model's training files were: same options, another place. */
    public static DataSpec like(TrainedModel model, Path data) {
        DataSpec trained =
                Json.bind(model.description().provenance().job().path("data"), DataSpec.class);
        boolean isCustom = trained.format() == DataFormat.CUSTOM;
        return new DataSpec(
                isCustom ? DataFormat.CUSTOM : DataFormat.AUTO,
                List.of(data.toAbsolutePath().normalize().toString()),
                List.of(),
                trained.label(),
                trained.split(),
                trained.table(),
                trained.image(),
                trained.text(),
                trained.cache(),
                trained.prefetchBatches(),
                trained.custom());
    }

    /**
     * Predicts every sample of {@code data} and hands the predictions over in file order, on this
     * thread.
     *
     * @return how many there were
     * @throws ConfigException if the data does not fit the model, or the model is a language model
     */
    public long predict(DataSpec data, Progress progress, Consumer<Prediction> consumer) {
        return predict(encode(data, progress), progress, consumer);
    }

    /**
     * Writes every row of {@code data} with its prediction to {@code out}, in file order: CSV,
     * Parquet or JSON lines by its ending. The file appears, or replaces another, when it is whole.
     *
     * @return how many rows there were
     * @throws ConfigException as {@link #predict} does, and for another ending
     */
    public long write(DataSpec data, Path out, Progress progress) {
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

    private PreparedData encode(DataSpec data, Progress progress) {
        Target target = model.description().signature().target();
        if (target.kind() == TargetKind.TOKENS) {
            throw new ConfigException(model.folder() + " is a language model: use medley generate");
        }
        Path cache = RunOptions.defaultCache().resolve("data");
        return Datasets.encode(model.encoding(), data, cache, progress);
    }

    private long predict(PreparedData prepared, Progress progress, Consumer<Prediction> consumer) {
        Target target = model.description().signature().target();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (TrainingData samples = TrainingData.open(prepared, 0, Clock.system())) {
            Blocks blocks = new Blocks(samples.validationSamples(), target);
            for (long from = 0; from < blocks.samples; from += BLOCK_SAMPLES) {
                long to = Math.min(blocks.samples, from + BLOCK_SAMPLES);
                Batch batch = samples.validation(from, to).copy(); // It is read over soon.
                blocks.add(pool.submit(() -> model.predict(batch)), to - from);
                if (blocks.underWay() > 2 * threads) {
                    progress.at("predicting", blocks.handOver(consumer), blocks.samples);
                }
            }
            while (blocks.underWay() > 0) {
                progress.at("predicting", blocks.handOver(consumer), blocks.samples);
            }
            return blocks.samples;
        } finally {
            pool.shutdown();
        }
    }

    /** Blocks under way, the oldest first. */
    private static final class Blocks {
        private record Block(Future<HostArray> outputs, long samples) {}

        private final long samples;
        private final Target target;
        private final Deque<Block> blocks = new ArrayDeque<>();
        private long done;

        Blocks(long samples, Target target) {
            this.samples = samples;
            this.target = target;
        }

        void add(Future<HostArray> outputs, long count) {
            blocks.add(new Block(outputs, count));
        }

        int underWay() {
            return blocks.size();
        }

        /** Waits for the oldest block and hands it over; returns the samples done. */
        long handOver(Consumer<Prediction> consumer) {
            Block block = blocks.remove();
            rows(block).forEach(consumer);
            done += block.samples();
            return done;
        }

        private List<Prediction> rows(Block block) {
            try {
                HostArray outputs = block.outputs().get();
                FloatBuffer values = outputs.data().buffer().asFloatBuffer();
                List<Prediction> rows = new ArrayList<>();
                float[] row = new float[target.outputs()];
                for (long i = 0; i < block.samples(); i++) {
                    values.get(row);
                    rows.add(Prediction.of(target, row));
                }
                return rows;
            } catch (ExecutionException e) {
                throw new IllegalStateException("a block could not be predicted", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while predicting", e);
            }
        }
    }
}
