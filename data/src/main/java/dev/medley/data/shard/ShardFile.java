package dev.medley.data.shard;

/**
 * A file of samples of equal length that begin at equal distances. The windows of a text overlap:
 * their stride is shorter than a sample.
 *
 * @param name within the folder of the prepared set
 * @param startByte where sample 0 begins
 * @param strideBytes from one sample's beginning to the next one's
 * @param sampleBytes of one sample
 * @param layout of the samples in blocks
 */
public record ShardFile(
        String name, long startByte, int strideBytes, int sampleBytes, BlockLayout layout) {
    /** A file of records that lie one behind the other. */
    public static ShardFile ofRecords(String name, int recordBytes, long samples) {
        return new ShardFile(
                name, 0, recordBytes, recordBytes, BlockLayout.of(samples, recordBytes));
    }

    /** Samples in all. */
    public long samples() {
        return layout.samples();
    }

    /** Where block {@code block} begins. */
    public long blockStart(long block) {
        return startByte + block * layout.blockSamples() * (long) strideBytes;
    }

    /** Length of block {@code block}. */
    public int blockBytes(long block) {
        return (layout.samplesOf(block) - 1) * strideBytes + sampleBytes;
    }

    /** Where the last sample ends, which is the least length of the file. */
    public long endByte() {
        long blocks = layout.blocks();
        return blocks == 0 ? 0 : blockStart(blocks - 1) + blockBytes(blocks - 1);
    }

    /** Length of all blocks in memory. */
    public long decodedBytes() {
        long blocks = layout.blocks();
        return blocks == 0 ? 0 : (blocks - 1) * blockBytes(0) + blockBytes(blocks - 1);
    }

    /**
     * The same file with the window of an epoch's order chosen for a cache of {@code memoryBytes}:
     * everything if it fits, else half of the cache, so that the next window can be read ahead.
     */
    public ShardFile forMemory(long memoryBytes) {
        if (layout.samples() == 0 || decodedBytes() <= memoryBytes) {
            return with(layout.withWindow(Integer.MAX_VALUE));
        }
        long fit = memoryBytes / 2 / blockBytes(0);
        return with(layout.withWindow((int) Math.max(2, Math.min(Integer.MAX_VALUE, fit))));
    }

    private ShardFile with(BlockLayout changed) {
        return new ShardFile(name, startByte, strideBytes, sampleBytes, changed);
    }
}
