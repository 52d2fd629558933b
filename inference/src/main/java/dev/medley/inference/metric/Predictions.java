package dev.medley.inference.metric;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.HostArray;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the predictions of a block one by one, samples or tokens: the truth, the model's outputs
 * and the weight. A token without a target is none.
 */
public final class Predictions {
    private final EvaluatedBlock block;
    private final FloatBuffer outputs;
    private final @Nullable FloatBuffer values;
    private final @Nullable LongBuffer indices;
    private final int count;
    private final int width;

    /** The predictions of a block, for a target of this kind. */
    public Predictions(EvaluatedBlock block, TargetKind kind) {
        this.block = block;
        boolean isIndex = kind == TargetKind.CLASSES || kind == TargetKind.TOKENS;
        outputs = floats(block.outputs());
        values = isIndex ? null : floats(block.target());
        indices = isIndex ? block.target().data().buffer().asLongBuffer() : null;
        count = (int) block.target().count();
        width = (int) (block.outputs().count() / Math.max(1, count));
    }

    private static FloatBuffer floats(HostArray array) {
        return array.data().buffer().asFloatBuffer();
    }

    /** How many there are, with those that nobody asks for. */
    public int count() {
        return count;
    }

    /** Outputs of one. */
    public int width() {
        return width;
    }

    /** Whether it has a target. */
    public boolean isAsked(int i) {
        return indices == null || indices.get(i) >= 0;
    }

    /** The true class or token; 1 for the second of two classes. */
    public int truth(int i) {
        return indices != null ? (int) indices.get(i) : value(i) > 0.5 ? 1 : 0;
    }

    /** The true number. */
    public double value(int i) {
        return values == null ? Double.NaN : values.get(i);
    }

    /** The only output. */
    public double output(int i) {
        return outputs.get(i);
    }

    /** The outputs, into an array of {@link #width}. */
    public void outputs(int i, float[] into) {
        outputs.get(i * width, into);
    }

    /**
     * The class of the largest output, the first of several; of one logit, whether it is above 0.
     */
    public int predicted(int i) {
        if (width == 1) {
            return outputs.get(i) > 0 ? 1 : 0;
        }
        int best = 0;
        for (int c = 1; c < width; c++) {
            if (outputs.get(i * width + c) > outputs.get(i * width + best)) {
                best = c;
            }
        }
        return best;
    }

    /**
     * How many classes come before the true one: with larger outputs, or equal ones and earlier.
     */
    public int before(int i) {
        int truth = truth(i);
        float own = outputs.get(i * width + truth);
        int before = 0;
        for (int c = 0; c < width; c++) {
            float other = outputs.get(i * width + c);
            before += other > own || (other == own && c < truth) ? 1 : 0;
        }
        return before;
    }

    /** What it counts. */
    public double weight(int i) {
        return block.weightOf(block.samples() == count ? i : i * block.samples() / count);
    }
}
