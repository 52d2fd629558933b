package dev.medley.tensor;

import dev.medley.base.memory.ElementType;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Converts between the element types of Medley and of LibTorch. */
final class Types {
    private Types() {}

    static ScalarType scalarType(ElementType type) {
        return switch (type) {
            case FLOAT32 -> ScalarType.Float;
            case FLOAT64 -> ScalarType.Double;
            case INT64 -> ScalarType.Long;
            case INT32 -> ScalarType.Int;
            case UINT8 -> ScalarType.Byte;
        };
    }

    static ElementType elementType(ScalarType type) {
        return switch (type.intern()) {
            case Float -> ElementType.FLOAT32;
            case Double -> ElementType.FLOAT64;
            case Long -> ElementType.INT64;
            case Int -> ElementType.INT32;
            case Byte -> ElementType.UINT8;
            default -> throw new IllegalStateException(type + " has no element type of ours");
        };
    }

    static TensorOptions options(ElementType type) {
        return new TensorOptions(scalarType(type));
    }
}
