package dev.medley.data.shard;

/** Names what is drawn from the run's seed for data; see {@link dev.medley.base.Seeds}. */
public final class Purpose {
    /** Which samples are kept for validation. */
    public static final long SPLIT = 0x5350_4C49_54L;

    /** The order of an epoch. */
    public static final long ORDER = 0x4F52_4445_52L;

    /** Augmentation of one sample. */
    public static final long AUGMENT = 0x4155_474D_454E_54L;

    private Purpose() {}
}
