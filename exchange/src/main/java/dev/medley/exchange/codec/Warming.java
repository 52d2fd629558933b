package dev.medley.exchange.codec;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Encodes with fewer and fewer bytes from stage to stage of a run's first exchanges, then with its
 * last codec. Used as a codec by itself it is its first stage, the longest.
 */
final class Warming extends Codec {
    private final List<? extends Codec> stages;
    private final Codec last;
    private final long exactSteps;
    private final long steps;

    /**
     * Stages of equal length.
     *
     * @param exactSteps exchanges before the first
     * @param steps exchanges of all stages together
     */
    Warming(List<? extends Codec> stages, Codec last, long exactSteps, long steps) {
        this.stages = List.copyOf(stages);
        this.last = last;
        this.exactSteps = exactSteps;
        this.steps = steps;
    }

    @Override
    public Codec at(long step) {
        long done = Math.max(0, step - exactSteps - 1);
        return done >= steps ? last : stages.get((int) (done * stages.size() / steps));
    }

    @Override
    void keep(float part) {
        stages.forEach(stage -> stage.keep(part));
        last.keep(part);
    }

    @Override
    public String name() {
        return last.name() + ", more in the first " + steps + " exchanges";
    }

    @Override
    public boolean isCoarse() {
        return last.isCoarse();
    }

    @Override
    int blockBytes(int elements) {
        return stages.get(0).blockBytes(elements);
    }

    @Override
    void encodeBlock(float[] from, int count, ByteBuffer into) {
        stages.get(0).encodeBlock(from, count, into);
    }

    @Override
    void decodeBlock(ByteBuffer from, int count, float[] into) {
        stages.get(0).decodeBlock(from, count, into);
    }
}
