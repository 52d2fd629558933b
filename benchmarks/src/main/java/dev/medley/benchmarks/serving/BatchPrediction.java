package dev.medley.benchmarks.serving;

import dev.medley.api.TrainedModel;
import dev.medley.api.predict.PredictOptions;
import dev.medley.api.predict.Predictor;
import dev.medley.base.job.DataSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows a second of {@code medley predict} with the forward pass of the training engine
 * alone. Threads and blocks are the same; the best of several turns counts, since others may use
 * the machine.
 *
 * <pre>BatchPrediction MODEL FILE [THREADS [TURNS]]</pre>
 */
public final class BatchPrediction {
    private static final int BLOCK = 512;
    private static final int KEPT_BLOCKS = 64;

    private final TrainedModel model;
    private final Path file;
    private final int threads;
    private final Clock clock = Clock.system();

    private BatchPrediction(TrainedModel model, Path file, int threads) {
        this.model = model;
        this.file = file;
        this.threads = threads;
    }

    /** Prints a line for each way. */
    public static void main(String[] args) throws Exception {
        int threads =
                args.length > 2
                        ? Integer.parseInt(args[2])
                        : Runtime.getRuntime().availableProcessors();
        int turns = args.length > 3 ? Integer.parseInt(args[3]) : 3;
        try (TrainedModel model = TrainedModel.load(Path.of(args[0]), 1)) {
            new BatchPrediction(model, Path.of(args[1]), threads).run(turns);
        }
    }

    private void run(int turns) throws Exception {
        double bare = 0;
        double torch = 0;
        double onnx = 0;
        double written = 0;
        String why = "";
        for (int turn = 0; turn < turns; turn++) {
            bare = Math.max(bare, forward());
            torch = Math.max(torch, predicted("libtorch"));
            onnx = Math.max(onnx, predicted("onnx"));
            Predictor chosen = new Predictor(model, new PredictOptions(1, threads));
            written = Math.max(written, written(chosen));
            why = chosen.engine();
        }
        say("forward pass of training's engine alone", bare, bare);
        say("predict, LibTorch or XGBoost", torch, bare);
        say("predict, ONNX Runtime", onnx, bare);
        say("predict from CSV to CSV, all of it", written, bare);
        System.out.println(why);
    }

    private static void say(String what, double rowsPerSecond, double bare) {
        System.out.println(
                String.format(
                        Locale.ROOT,
                        "%-42s %,12.0f rows/s  %.2f",
                        what,
                        rowsPerSecond,
                        rowsPerSecond / bare));
    }

    /** Blocks that lie in memory, again and again, as many as the file has. */
    private double forward() throws Exception {
        DataSpec data = Predictor.like(model, file);
        PreparedData prepared = model.encodeInputs(data, PreparationProgress.NONE);
        long samples = prepared.validationSamples();
        List<Batch> blocks = new ArrayList<>();
        try (TrainingData read = model.open(prepared)) {
            for (long from = 0; from < samples && blocks.size() < KEPT_BLOCKS; from += BLOCK) {
                blocks.add(read.validation(from, Math.min(samples, from + BLOCK)).copy());
            }
        }
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long beginNs = clock.nowNs();
            List<Future<Long>> parts = new ArrayList<>();
            long each = samples / threads;
            for (int t = 0; t < threads; t++) {
                parts.add(pool.submit(() -> computed(blocks, each)));
            }
            long done = 0;
            for (Future<Long> part : parts) {
                done += part.get();
            }
            return done * 1e9 / (clock.nowNs() - beginNs);
        } finally {
            pool.shutdown();
        }
    }

    private long computed(List<Batch> blocks, long least) {
        long done = 0;
        for (int i = 0; done < least; i = (i + 1) % blocks.size()) {
            HostArray unused = model.predict(blocks.get(i));
            done += blocks.get(i).samples();
        }
        return done;
    }

    /** From the first block to the last; the file is encoded before. */
    private double predicted(@Nullable String engine) {
        Predictor predictor = new Predictor(model, new PredictOptions(1, threads, engine));
        long[] begin = {0, 0};
        long samples =
                predictor.predict(
                        Predictor.like(model, file),
                        (phase, done, total) -> {
                            if (phase.equals("predicting") && begin[0] == 0) {
                                begin[0] = clock.nowNs();
                                begin[1] = done;
                            }
                        },
                        prediction -> {});
        return (samples - begin[1]) * 1e9 / (clock.nowNs() - begin[0]);
    }

    private double written(Predictor predictor) throws Exception {
        Path out = Files.createTempFile("predictions", ".csv");
        long beginNs = clock.nowNs();
        long samples = predictor.write(Predictor.like(model, file), out, PreparationProgress.NONE);
        double rate = samples * 1e9 / (clock.nowNs() - beginNs);
        Files.delete(out);
        return rate;
    }
}
