package dev.medley.api.predict;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.Signature.Target;
import dev.medley.inference.metric.SoundOutputs;
import dev.medley.inference.model.Prediction;
import dev.medley.store.model.ModelDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes predictions from a model's outputs, in order, and counts outputs that are not numbers. From
 * the first of them on nothing is handed over: the caller learns of all at the end.
 *
 * <p>Thread: one.
 */
final class SoundPredictions implements Consumer<float[]> {
    private static final int NAMED = 3;

    private final Target target;
    private final @Nullable DecisionThreshold threshold;
    private final Consumer<Prediction> consumer;
    private final List<String> firstUnsound = new ArrayList<>();
    private long unsound;
    private long samples;

    SoundPredictions(ModelDescription model, Consumer<Prediction> consumer) {
        this.target = model.signature().target();
        this.threshold = model.threshold();
        this.consumer = consumer;
    }

    @Override
    public void accept(float[] outputs) {
        samples++;
        if (!SoundOutputs.areSound(target.kind(), outputs)) {
            unsound++;
            if (firstUnsound.size() < NAMED) {
                firstUnsound.add(Long.toString(samples));
            }
        } else if (unsound == 0) {
            consumer.accept(Prediction.of(target, threshold, outputs));
        }
    }

    /** Complains, at the end, where some had no prediction. */
    void requireAll(List<String> files) {
        check(
                unsound == 0,
                "%s: the model's outputs for %,d of %,d samples are not numbers and no predictions:"
                        + " sample %s%s; %s",
                String.join(", ", files),
                unsound,
                samples,
                String.join(", ", firstUnsound),
                unsound > NAMED ? " and others" : "",
                SoundOutputs.REMEDY);
    }
}
