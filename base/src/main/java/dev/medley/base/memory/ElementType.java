package dev.medley.base.memory;

/** What an array is made of. Native byte order throughout. */
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
