package dev.medley.exchange.codec;

import dev.medley.base.strategy.CodecSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Encodes the elements of largest magnitude with their places, two bytes each; the others are
 * decoded as zero. This is top-k sparsification (Lin, Han, Mao, Wang, Dally, ICLR 2018, arXiv
 * 1712.01887) with k taken in every block: the largest are found exactly, where their global
 * threshold is sampled, and the length of an encoded block does not depend on its content. Values
 * travel as brain floats; what rounding leaves out is sent later with all the rest. Of equal
 * magnitudes the first are taken.
 */
final class Largest extends Codec {
    private static final int MAGNITUDE = 0x7fff_ffff;
    private static final int ELEMENT_BYTES = 2 * Short.BYTES;

    /** Deep Gradient Compression begins with that part, and takes so many stages. */
    private static final double FIRST_DENSITY = 0.25;

    private static final int STAGES = 4;

    private final double density;
    private final int[] magnitudes = new int[BLOCK_ELEMENTS];

    private Largest(double density) {
        this.density = density;
    }

    /**
     * The largest of each block; in the first exchanges more of them, as in the paper: a quarter,
     * then less by a constant factor from stage to stage.
     */
    static Codec warmingUp(CodecSpec spec) {
        Largest last = new Largest(spec.density());
        if (spec.densitySteps() == 0 || spec.density() >= FIRST_DENSITY) {
            return last;
        }
        List<Largest> stages = new ArrayList<>();
        for (int i = 0; i < STAGES; i++) {
            double factor = Math.pow(spec.density() / FIRST_DENSITY, (double) i / STAGES);
            stages.add(new Largest(FIRST_DENSITY * factor));
        }
        return new Warming(stages, last, spec.exactSteps(), spec.densitySteps());
    }

    @Override
    public String name() {
        return String.format(Locale.ROOT, "topk %s", density);
    }

    @Override
    public boolean isCoarse() {
        return true;
    }

    @Override
    int blockBytes(int elements) {
        return kept(elements) * ELEMENT_BYTES;
    }

    @Override
    void encodeBlock(float[] from, int count, ByteBuffer into) {
        int kept = kept(count);
        for (int i = 0; i < count; i++) {
            magnitudes[i] = magnitude(from[i]);
        }
        int least = Selection.largest(magnitudes, count, kept);
        int above = 0;
        for (int i = 0; i < count; i++) {
            above += magnitude(from[i]) > least ? 1 : 0;
        }
        int equal = kept - above;
        for (int i = 0; i < count; i++) {
            int magnitude = magnitude(from[i]);
            if (magnitude > least || magnitude == least && equal-- > 0) {
                into.putShort((short) i).putShort(BrainFloats.narrow(from[i]));
            }
        }
    }

    @Override
    void decodeBlock(ByteBuffer from, int count, float[] into) {
        Arrays.fill(into, 0, count, 0);
        for (int i = kept(count); i > 0; i--) {
            int place = from.getShort();
            into[place] = BrainFloats.widen(from.getShort());
        }
    }

    private int kept(int elements) {
        return (int) Math.ceil(elements * density);
    }

    /** Ordered like magnitudes, with infinity and NaN above all numbers. */
    private static int magnitude(float value) {
        return Float.floatToRawIntBits(value) & MAGNITUDE;
    }
}
