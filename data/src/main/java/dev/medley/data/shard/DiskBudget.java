package dev.medley.data.shard;

import dev.medley.base.ConfigException;

/**
 * Limits what one prepared set may take of the disk cache; everyone who writes a part of it is
 * counted.
 */
public final class DiskBudget {
    private final long limitBytes;
    private long usedBytes;

    /** At most {@code limitBytes}. */
    public DiskBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Takes {@code bytes}, or says that the set does not fit. */
    public void use(long bytes) {
        usedBytes += bytes;
        ConfigException.check(
                usedBytes <= limitBytes,
                "the decoded data does not fit the disk cache: more than %,d bytes >"
                        + " data.cache.disk of %,d bytes; raise the limit or use less data",
                usedBytes - 1,
                limitBytes);
    }

    /** Bytes taken so far. */
    public long usedBytes() {
        return usedBytes;
    }

    /** The limit. */
    public long limitBytes() {
        return limitBytes;
    }
}
