package dev.medley.inference.metric;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;

/** Evaluated blocks from plain arrays. */
public final class Blocks {
    private Blocks() {}

    /** One output and one FLOAT32 target a sample. */
    public static EvaluatedBlock of(float[] outputs, float[] target) {
        return of(outputs, target, 0);
    }

    /** The same with losses. */
    public static EvaluatedBlock of(float[] outputs, float[] target, double lossSum) {
        HostArray given = floats(outputs, outputs.length, 1);
        HostArray asked = floats(target, target.length);
        return new EvaluatedBlock(given, asked, lossSum, target.length, target.length);
    }

    /** A row of outputs for each index. */
    public static EvaluatedBlock ofClasses(float[] outputs, long... target) {
        int classes = outputs.length / target.length;
        HostArray given = floats(outputs, target.length, classes);
        HostArray asked = HostArray.allocate(ElementType.INT64, target.length);
        asked.data().buffer().asLongBuffer().put(target);
        return new EvaluatedBlock(given, asked, 0, target.length, target.length);
    }

    /** Windows of tokens, each with a row of outputs; {@code lossSum} over those that count. */
    public static EvaluatedBlock ofTokens(
            int windows, float[] outputs, double lossSum, double weight, long... target) {
        int length = target.length / windows;
        int vocabulary = outputs.length / target.length;
        HostArray given = floats(outputs, windows, length, vocabulary);
        HostArray asked = HostArray.allocate(ElementType.INT64, windows, length);
        asked.data().buffer().asLongBuffer().put(target);
        return new EvaluatedBlock(given, asked, lossSum, weight, windows);
    }

    /** Windows of as many outputs as there are numbers to forecast. */
    public static EvaluatedBlock ofWindows(float[] outputs, float[] target, int windows) {
        int each = target.length / windows;
        HostArray given = floats(outputs, windows, each);
        return new EvaluatedBlock(given, floats(target, windows, each), 0, windows, windows);
    }

    /** The same samples, each of which counts so much. */
    public static EvaluatedBlock weighing(EvaluatedBlock block, float... weights) {
        return new EvaluatedBlock(
                block.outputs(),
                block.target(),
                floats(weights, weights.length),
                block.lossSum(),
                block.weight(),
                block.samples());
    }

    private static HostArray floats(float[] values, long... shape) {
        HostArray array = HostArray.allocate(ElementType.FLOAT32, shape);
        array.data().buffer().asFloatBuffer().put(values);
        return array;
    }
}
