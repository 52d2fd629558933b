package dev.medley.serving.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Lists the types of elements that the Open Inference Protocol has. */
public enum DataType {
    BOOL(1),
    UINT8(1),
    UINT16(2),
    UINT32(4),
    UINT64(8),
    INT8(1),
    INT16(2),
    INT32(4),
    INT64(8),
    FP16(2),
    FP32(4),
    FP64(8),
    /** Texts: UTF-8, each with its own length. */
    BYTES(0);

    private final int bytes;

    DataType(int bytes) {
        this.bytes = bytes;
    }

    /** The type of that name, as the protocol spells it. */
    public static Optional<DataType> of(String name) {
        return Arrays.stream(values()).filter(type -> type.name().equals(name)).findFirst();
    }

    /** All names. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Enum::name).toList();
    }

    /** Bytes of an element; 0 for texts. */
    public int bytes() {
        return bytes;
    }

    /** Whether it is one of whole numbers. */
    public boolean isWhole() {
        return switch (this) {
            case UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64 -> true;
            case BOOL, FP16, FP32, FP64, BYTES -> false;
        };
    }

    /** The least number that it holds; of no meaning for texts. */
    public double least() {
        return switch (this) {
            case INT8 -> Byte.MIN_VALUE;
            case INT16 -> Short.MIN_VALUE;
            case INT32 -> Integer.MIN_VALUE;
            case INT64 -> Long.MIN_VALUE;
            case FP16 -> -65_504;
            case FP32 -> -Float.MAX_VALUE;
            case FP64 -> -Double.MAX_VALUE;
            default -> 0;
        };
    }

    /** The largest number that it holds; of no meaning for texts. */
    public double most() {
        return switch (this) {
            case BOOL -> 1;
            case UINT8 -> 255;
            case UINT16 -> 65_535;
            case UINT32 -> 4_294_967_295.0;
            case UINT64 -> 0x1p64;
            case INT8 -> Byte.MAX_VALUE;
            case INT16 -> Short.MAX_VALUE;
            case INT32 -> Integer.MAX_VALUE;
            case INT64 -> Long.MAX_VALUE;
            case FP16 -> 65_504;
            case FP32 -> Float.MAX_VALUE;
            case FP64, BYTES -> Double.MAX_VALUE;
        };
    }
}
