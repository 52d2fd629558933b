package dev.medley.fleet.elastic.trace;

import dev.medley.base.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Holds all that was measured of one model, and how long it is trained.
 *
 * @param epochs after which a job of it has ended
 * @param fixedBatch of every step, whatever the workers; 0 where it may be chosen
 */
public record MeasuredModel(
        String name,
        StepTable steps,
        LearningCurves curves,
        BatchBounds batches,
        int epochs,
        int fixedBatch) {
    /** Pollux's models and their epochs. NCF keeps its batch and one GPU there, so here too. */
    private enum Known {
        BERT(2, 0, 0),
        CIFAR10(100, 0, 0),
        NCF(10, 0, 32_768),
        IMAGENET(90, 0, 0),
        DEEPSPEECH2(80, 0, 0),
        YOLOV3(50, 8, 0);

        private final int epochs;
        private final int maxLocal;
        private final int fixedBatch;

        Known(int epochs, int maxLocal, int fixedBatch) {
            this.epochs = epochs;
            this.maxLocal = maxLocal;
            this.fixedBatch = fixedBatch;
        }
    }

    /** Reads all models of Pollux's folder {@code traces}, by name. */
    public static Map<String, MeasuredModel> readAll(Path traces) {
        ConfigException.check(
                Files.isDirectory(traces),
                "%s is no folder; give the folder traces of Pollux's simulator",
                traces);
        Map<String, MeasuredModel> models = new LinkedHashMap<>();
        for (Known known : Known.values()) {
            String name = known.name().toLowerCase(Locale.ROOT);
            StepTable steps = new StepTable(traces.resolve(name));
            LearningCurves curves = new LearningCurves(traces.resolve(name));
            int maxLocal = known.maxLocal > 0 ? known.maxLocal : steps.maxLocal();
            BatchBounds batches =
                    new BatchBounds(
                            curves.minBatch(), curves.maxBatch(), steps.minLocal(), maxLocal);
            models.put(
                    name,
                    new MeasuredModel(
                            name, steps, curves, batches, known.epochs, known.fixedBatch));
        }
        return models;
    }

    /** Work of a whole training, in steps of the initial batch. */
    public double totalWork() {
        return curves.work(epochs);
    }

    /** The most workers that a job of it may have: one where its batch is fixed. */
    public int maxWorkers() {
        return fixedBatch > 0 ? 1 : batches.maxWorkers();
    }
}
