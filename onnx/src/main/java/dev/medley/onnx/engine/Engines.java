package dev.medley.onnx.engine;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.OnnxModel;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chooses the engine that computes for a model, by a short trial of both. */
public final class Engines {
    private static final int MANY = 32;
    private static final long TRIAL_NS = 60_000_000;
    private static final int FEWEST_TRIES = 3;
    private static final int MOST_TRIES = 200;
    private static final double CLOSE = 1e-3;

    private Engines() {}

    /**
     * An engine, and why it is the one.
     *
     * @param why a sentence
     */
    public record Chosen(Engine engine, String why) {}

    /**
     * ONNX Runtime with the model's graph in that precision.
     *
     * @param threads with which it computes one batch
     * @throws ConfigException if it cannot take the model
     */
    public static Engine onnx(LoadedModel model, OnnxModel.Precision precision, int threads) {
        return OnnxEngine.of(model, precision, threads);
    }

    /**
     * The faster engine for a model that answers requests, of one row or of some.
     *
     * @param asked the name of one, lower case, that has to be taken; null for the faster
     * @param threads with which it computes one batch
     * @param work how the trial is done
     * @throws ConfigException if the one that is asked for cannot take the model
     */
    public static Chosen choose(
            LoadedModel model, @Nullable String asked, int threads, PacedWork work) {
        Signature signature = model.description().signature();
        Chosen chosen = choose(model, asked, threads, () -> sample(signature, 1), MANY, work);
        warm(chosen.engine(), signature, work);
        return chosen;
    }

    /**
     * The engine that was faster for a model of the same form: none is measured once more.
     *
     * @param known what was chosen for that one
     * @param threads with which it computes one batch
     * @param work how it is warmed up
     */
    public static Chosen chooseAs(Chosen known, LoadedModel model, int threads, PacedWork work) {
        Signature signature = model.description().signature();
        Chosen chosen = sameAs(known, model, threads, work);
        warm(chosen.engine(), signature, work);
        return chosen;
    }

    private static Chosen sameAs(Chosen known, LoadedModel model, int threads, PacedWork work) {
        Engine torch = new TorchEngine(model);
        if (known.engine() instanceof TorchEngine) {
            return new Chosen(torch, known.why());
        }
        Engine onnx;
        try {
            onnx = work.done(() -> OnnxEngine.of(model, threads));
        } catch (ConfigException e) {
            return new Chosen(
                    torch,
                    "%s computes: ONNX Runtime cannot take this model: %s"
                            .formatted(torch.name(), e.getMessage()));
        }
        Batch many = sample(model.description().signature(), MANY);
        @Nullable String trouble = trouble(torch, onnx, many, work);
        if (trouble == null) {
            return new Chosen(onnx, known.why());
        }
        onnx.close();
        return new Chosen(torch, torch.name() + " computes: ONNX Runtime " + trouble);
    }

    /** What speaks against the second of two engines; null for nothing. */
    private static @Nullable String trouble(Engine torch, Engine onnx, Batch many, PacedWork work) {
        try {
            float[] expected = work.done(() -> torch.forward(many));
            float[] found = work.done(() -> onnx.forward(many));
            return agree(expected, found) ? null : "gives other numbers";
        } catch (IllegalStateException e) {
            return "failed (%s)".formatted(e.getMessage());
        }
    }

    /** Lets it compute for a moment: the first batches of an engine are much slower than others. */
    private static void warm(Engine engine, Signature signature, PacedWork work) {
        try {
            median(engine, sample(signature, 1), work);
        } catch (IllegalStateException e) {
            // A row of the caller's may do better, and where none does, each is told so.
        }
    }

    /**
     * The faster engine for batches like one.
     *
     * @param asked the name of one, lower case, that has to be taken; null for the faster
     * @param threads with which it computes one batch
     * @param batch samples of the data, for a trial
     * @throws ConfigException if the one that is asked for cannot take the model
     */
    public static Chosen choose(
            LoadedModel model,
            @Nullable String asked,
            int threads,
            Supplier<Batch> batch,
            Clock clock) {
        return choose(model, asked, threads, batch, 0, PacedWork.of(Pace.FULL, clock));
    }

    /** With {@code many} samples beside those of {@code few}, or with those alone if it is 0. */
    private static Chosen choose(
            LoadedModel model,
            @Nullable String asked,
            int threads,
            Supplier<Batch> few,
            int many,
            PacedWork work) {
        Engine torch = new TorchEngine(model);
        if ("libtorch".equals(asked)) {
            return new Chosen(torch, torch.name() + " computes, as it was asked for");
        }
        boolean hasTerms =
                model.description().signature().inputs().stream()
                        .anyMatch(Signature.Input::isTerms);
        if (hasTerms) { // Of which new rows may have more than a graph has room for.
            ConfigException.check(
                    asked == null,
                    "%s: ONNX Runtime is not for columns of words or hashes",
                    model.folder());
            return new Chosen(torch, torch.name() + " computes columns of words and hashes");
        }
        Engine onnx;
        try {
            onnx = work.done(() -> OnnxEngine.of(model, threads));
        } catch (ConfigException | NoClassDefFoundError e) {
            String why =
                    e instanceof ConfigException
                            ? "ONNX Runtime cannot take this model: " + e.getMessage()
                            : "ONNX Runtime is not on the class path";
            ConfigException.check(asked == null, "%s: %s", model.folder(), why);
            return new Chosen(torch, "%s computes: %s".formatted(torch.name(), why));
        }
        if (asked != null) {
            return new Chosen(onnx, onnx.name() + " computes, as it was asked for");
        }
        Batch small = few.get();
        Batch large = many == 0 ? small : sample(model.description().signature(), many);
        return faster(torch, onnx, small, large, work);
    }

    private static Chosen faster(Engine torch, Engine onnx, Batch few, Batch many, PacedWork work) {
        @Nullable String trouble = trouble(torch, onnx, many, work);
        if (trouble != null) {
            onnx.close();
            return new Chosen(torch, torch.name() + " computes: ONNX Runtime " + trouble);
        }
        try {
            EngineTimes ofTorch = times(torch, few, many, work);
            EngineTimes ofOnnx = times(onnx, few, many, work);
            EngineTimes.Choice choice = EngineTimes.faster(ofTorch, ofOnnx);
            if (choice.name().equals(onnx.name())) {
                return new Chosen(onnx, choice.why());
            }
            onnx.close();
            return new Chosen(torch, choice.why());
        } catch (IllegalStateException e) {
            onnx.close();
            return new Chosen(
                    torch,
                    "%s computes: ONNX Runtime failed (%s)"
                            .formatted(torch.name(), e.getMessage()));
        }
    }

    private static EngineTimes times(Engine engine, Batch few, Batch many, PacedWork work) {
        long fewNs = median(engine, few, work);
        long manyNs = few == many ? fewNs : median(engine, many, work);
        return new EngineTimes(engine.name(), fewNs, manyNs, few.samples(), many.samples());
    }

    /** The median time of a batch, of a trial whose computations are apart as the pace has it. */
    static long median(Engine engine, Batch batch, PacedWork work) {
        long unused = work.timed(() -> engine.forward(batch)); // What is done once is no time.
        long[] times = new long[MOST_TRIES];
        long spentNs = 0;
        int tries = 0;
        while (tries < FEWEST_TRIES || (tries < MOST_TRIES && spentNs < TRIAL_NS)) {
            long tookNs = work.timed(() -> engine.forward(batch));
            times[tries++] = tookNs;
            spentNs += tookNs;
        }
        Arrays.sort(times, 0, tries);
        return times[tries / 2];
    }

    private static boolean agree(float[] first, float[] second) {
        if (first.length != second.length) {
            return false;
        }
        for (int i = 0; i < first.length; i++) {
            double size = Math.max(1, Math.abs(first[i]));
            boolean isEqual = Float.compare(first[i], second[i]) == 0;
            if (!isEqual && !(Math.abs(first[i] - second[i]) <= CLOSE * size)) {
                return false;
            }
        }
        return true;
    }

    /** Samples that models can read: small numbers, and the first few of each category. */
    private static Batch sample(Signature signature, int rows) {
        BatchBuffers buffers = new BatchBuffers(signature);
        buffers.reserve(rows);
        for (int i = 0; i < signature.inputs().size(); i++) {
            Signature.Input input = signature.inputs().get(i);
            int count = rows * buffers.perSample(i);
            for (int v = 0; v < count; v++) {
                switch (input.type()) {
                    case FLOAT32 -> buffers.floats(i).put(v, input.isTerms() ? 0 : v % 7 / 7f);
                    case INT64 -> buffers.longs(i).put(v, v % 2);
                    default -> buffers.bytes(i).put(v, (byte) v);
                }
            }
        }
        return buffers.batch(rows);
    }
}
