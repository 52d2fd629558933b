package dev.medley.inference.metric;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.HostArray;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/**
 * Tells outputs that mean something from those that do not. Not-a-number means nothing, nor does an
 * infinite output where a number is predicted. Of classes and tokens an infinite logit leaves no
 * probabilities; minus infinity rules one of them out, as long as another is left. One logit for
 * two classes may be infinite: it is certain.
 */
public final class SoundOutputs {
    /** What to do about outputs that are not numbers. */
    public static final String REMEDY =
            "values far from those of training are the usual cause, or a training that diverged";

    private SoundOutputs() {}

    /** Whether the outputs of one prediction mean something. */
    public static boolean areSound(TargetKind kind, float... outputs) {
        return areSound(kind, FloatBuffer.wrap(outputs), 0, outputs.length);
    }

    private static boolean areSound(TargetKind kind, FloatBuffer outputs, int from, int count) {
        boolean isOnePossible = false;
        for (int i = from; i < from + count; i++) {
            float output = outputs.get(i);
            if (Float.isNaN(output) || (kind != TargetKind.BINARY && !isFiniteOrLess(output))) {
                return false;
            }
            isOnePossible |= Float.isFinite(output);
            boolean isNumber =
                    switch (kind) {
                        case VALUE, VALUES, GRADE, NONE -> true;
                        case BINARY, CLASSES, TOKENS -> false;
                    };
            if (isNumber && !Float.isFinite(output)) {
                return false;
            }
        }
        return isOnePossible || kind == TargetKind.BINARY || count == 0;
    }

    private static boolean isFiniteOrLess(float output) {
        return output < Float.POSITIVE_INFINITY;
    }

    /** Whether a sample of a block has outputs that mean something, where it has a target. */
    static boolean areSound(TargetKind kind, EvaluatedBlock block, int sample) {
        FloatBuffer outputs = block.outputs().data().buffer().asFloatBuffer();
        int width = (int) (block.outputs().count() / block.samples());
        if (kind != TargetKind.TOKENS) {
            return areSound(kind, outputs, sample * width, width);
        }
        HostArray target = block.target();
        LongBuffer tokens = target.data().buffer().asLongBuffer();
        int length = (int) (target.count() / block.samples());
        int vocabulary = width / Math.max(1, length);
        for (int t = 0; t < length; t++) {
            boolean isAsked = tokens.get(sample * length + t) >= 0;
            int from = sample * width + t * vocabulary;
            if (isAsked && !areSound(kind, outputs, from, vocabulary)) {
                return false;
            }
        }
        return true;
    }
}
