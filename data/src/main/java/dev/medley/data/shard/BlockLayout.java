package dev.medley.data.shard;

/**
 * The layout of samples in blocks: block i holds samples {@code [i * blockSamples, (i + 1) *
 * blockSamples)}; the last one may be shorter.
 *
 * @param samples in all
 * @param blockSamples of every block but the last
 * @param windowBlocks blocks within which an epoch's order is mixed; at least all blocks for a set
 *     that fits in memory
 */
public record BlockLayout(long samples, int blockSamples, int windowBlocks) {
    private static final int BLOCK_BYTES = 512 << 10;
    private static final int MOST_SAMPLES = 1 << 16;
    private static final int FEWEST_SAMPLES = 16;

    public BlockLayout {
        if (samples < 0 || blockSamples < 1 || windowBlocks < 1) {
            throw new IllegalArgumentException(
                    "samples=%d, blockSamples=%d, windowBlocks=%d"
                            .formatted(samples, blockSamples, windowBlocks));
        }
    }

    /** Blocks of about half a MiB for samples that begin every {@code strideBytes}; one window. */
    public static BlockLayout of(long samples, int strideBytes) {
        int fit = Integer.highestOneBit(Math.max(1, BLOCK_BYTES / strideBytes));
        int blockSamples = Math.max(FEWEST_SAMPLES, Math.min(MOST_SAMPLES, fit));
        return new BlockLayout(samples, blockSamples, Integer.MAX_VALUE);
    }

    /** The same blocks, mixed within windows of {@code blocks}. */
    public BlockLayout withWindow(int blocks) {
        return new BlockLayout(samples, blockSamples, blocks);
    }

    /** Number of blocks. */
    public long blocks() {
        return (samples + blockSamples - 1) / blockSamples;
    }

    /** Samples of block {@code block}. */
    public int samplesOf(long block) {
        return (int) Math.min(blockSamples, samples - block * blockSamples);
    }
}
