package dev.medley.store.file;

import dev.medley.base.memory.ElementType;
import org.jspecify.annotations.Nullable;

/** The element types of safetensors, under the names that its header uses. */
public enum StoredType {
    F64(8, ElementType.FLOAT64),
    F32(4, ElementType.FLOAT32),
    F16(2, null),
    BF16(2, null),
    F8_E4M3(1, null),
    F8_E5M2(1, null),
    I64(8, ElementType.INT64),
    I32(4, ElementType.INT32),
    I16(2, null),
    I8(1, null),
    U64(8, null),
    U32(4, null),
    U16(2, null),
    U8(1, ElementType.UINT8),
    BOOL(1, ElementType.UINT8);

    private final int bytes;
    private final @Nullable ElementType type;

    StoredType(int bytes, @Nullable ElementType type) {
        this.bytes = bytes;
        this.type = type;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }

    /** The same type in memory, or null if Medley computes nothing in it. */
    public @Nullable ElementType elementType() {
        return type;
    }

    /** How a type of ours is stored. */
    static StoredType of(ElementType type) {
        return switch (type) {
            case FLOAT32 -> F32;
            case FLOAT64 -> F64;
            case INT64 -> I64;
            case INT32 -> I32;
            case UINT8 -> U8;
        };
    }
}
