package dev.medley.base.memory;

/** The type of an array's elements, in native byte order throughout. */
public enum ElementType {
    FLOAT32(4),
    FLOAT64(8),
    INT64(8),
    INT32(4),
    UINT8(1);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }
}
