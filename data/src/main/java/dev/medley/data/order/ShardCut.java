package dev.medley.data.order;

import dev.medley.data.shard.BlockLayout;

/**
 * The cut of a set's samples into the shards that workers keep where samples have a place. It
 * follows only from the set, so that a shard is the same for every group that ever trains on it.
 *
 * <p>A shard is some whole blocks, so that it is read and fetched without others; of a set with few
 * blocks a part of one, since a few shards cannot be dealt in proportion to speeds.
 *
 * @param samples of the set
 * @param shardSamples of every shard but the last, which may be shorter
 */
public record ShardCut(long samples, long shardSamples) {
    private static final int MOST = 1024;
    private static final int FEWEST = 256;

    public ShardCut {
        if (samples < 0 || shardSamples < 1) {
            throw new IllegalArgumentException(
                    "samples=%d, shardSamples=%d".formatted(samples, shardSamples));
        }
    }

    /** The shards of a set with that layout. */
    public static ShardCut of(BlockLayout layout) {
        long blocks = Math.max(1, ceil(layout.blocks(), MOST));
        long each = blocks * layout.blockSamples();
        while (each > 1 && ceil(layout.samples(), each) < FEWEST) {
            each = (each + 1) / 2;
        }
        return new ShardCut(layout.samples(), each);
    }

    /** Number of shards. */
    public int count() {
        return (int) ceil(samples, shardSamples);
    }

    /** First sample of a shard. */
    public long from(int shard) {
        return shard * shardSamples;
    }

    /** Samples of a shard. */
    public long samplesOf(int shard) {
        return Math.min(shardSamples, samples - from(shard));
    }

    /** The block of the set in which a shard begins. */
    public long firstBlock(int shard, BlockLayout layout) {
        return from(shard) / layout.blockSamples();
    }

    /** The block after the one in which a shard ends. */
    public long endBlock(int shard, BlockLayout layout) {
        return ceil(from(shard) + samplesOf(shard), layout.blockSamples());
    }

    /** Whole blocks of a shard; 1 for a part of one. */
    public int blocks(BlockLayout layout) {
        return (int) Math.max(1, shardSamples / layout.blockSamples());
    }

    /** The shard that a sample is in. */
    public int shardOf(long sample) {
        return (int) (sample / shardSamples);
    }

    private static long ceil(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
