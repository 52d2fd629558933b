package dev.medley.net.link;

/** What a link carries. Two members are joined by one link of each lane. */
public enum Lane {
    /** Small messages beside the data: agreement, doorbells, faults. */
    CONTROL,
    /** Slices of tensors and state. */
    DATA
}
