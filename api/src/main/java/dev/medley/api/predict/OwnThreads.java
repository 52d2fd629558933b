package dev.medley.api.predict;

import dev.medley.api.TrainedModel;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.PreparedData;
import dev.medley.onnx.engine.Engines;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Computes blocks on threads of this process, all with one copy of the model. */
final class OwnThreads implements AutoCloseable {
    /** For fewer samples no trial of engines is worth its time. */
    private static final long WORTH_A_TRIAL = 16_384;

    private final TrainingData samples;
    private final int threads;
    private final ExecutorService pool;
    private final Engines.Chosen engine;

    /**
     * Of a model.
     *
     * @param block samples of a block
     */
    OwnThreads(TrainedModel model, PreparedData data, PredictOptions options, int block) {
        this.samples = model.open(data);
        this.threads = options.threads();
        this.pool = Executors.newFixedThreadPool(threads);
        try {
            this.engine = engine(model, data.validationSamples(), options.engine(), block);
        } catch (RuntimeException e) {
            pool.shutdown();
            samples.close();
            throw e;
        }
    }

    private Engines.Chosen engine(
            TrainedModel model, long count, @Nullable String asked, int block) {
        String few = asked == null && count < WORTH_A_TRIAL ? "libtorch" : asked;
        return model.engine(
                few, () -> samples.validation(0, Math.min(count, block)).copy(), Clock.system());
    }

    /** Which engine computes, and why. */
    String why() {
        return engine.why();
    }

    /** Begins with samples {@code from} to before {@code to}: a row of outputs for each comes. */
    Future<List<float[]>> begin(long from, long to) {
        Batch batch = samples.validation(from, to).copy(); // It is read over soon.
        return pool.submit(() -> Outputs.rows(engine.engine().forward(batch), batch.samples()));
    }

    /** How many blocks are computed at the same time. */
    int atOnce() {
        return threads;
    }

    @Override
    public void close() {
        pool.shutdown();
        engine.engine().close();
        samples.close();
    }
}
