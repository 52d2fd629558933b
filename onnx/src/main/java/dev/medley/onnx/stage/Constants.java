package dev.medley.onnx.stage;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;

/** Makes the arrays that graphs hold. */
final class Constants {
    private Constants() {}

    /** FLOAT32, in this shape. */
    static HostArray floats(List<Double> values, long... shape) {
        HostArray array = HostArray.allocate(ElementType.FLOAT32, shape);
        FloatBuffer into = array.data().buffer().asFloatBuffer();
        values.forEach(value -> into.put(value.floatValue()));
        return array;
    }

    /** FLOAT64, in this shape. */
    static HostArray doubles(List<Double> values, long... shape) {
        HostArray array = HostArray.allocate(ElementType.FLOAT64, shape);
        DoubleBuffer into = array.data().buffer().asDoubleBuffer();
        values.forEach(into::put);
        return array;
    }
}
