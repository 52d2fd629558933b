package dev.medley.api.predict;

import dev.medley.api.TrainedModel;
import dev.medley.base.memory.Batch;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.PreparedData;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Computes blocks on threads of this process, all with one copy of the model. */
final class OwnThreads implements AutoCloseable {
    private final TrainedModel model;
    private final TrainingData samples;
    private final int threads;
    private final ExecutorService pool;

    OwnThreads(TrainedModel model, PreparedData data, int threads) {
        this.model = model;
        this.samples = model.open(data);
        this.threads = threads;
        this.pool = Executors.newFixedThreadPool(threads);
    }

    /** Begins with samples {@code from} to before {@code to}: a row of outputs for each comes. */
    Future<List<float[]>> begin(long from, long to) {
        Batch batch = samples.validation(from, to).copy(); // It is read over soon.
        return pool.submit(() -> Outputs.rows(model.predict(batch), batch.samples()));
    }

    /** How many blocks are computed at the same time. */
    int atOnce() {
        return threads;
    }

    @Override
    public void close() {
        pool.shutdown();
        samples.close();
    }
}
