package dev.medley.data.shard;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of samples of equal length that begin at equal distances. Windows of a text overlap: their
 * stride is shorter than a sample. Those of several series do, too, within each, and lie in runs.
 *
 * @param name within the folder of the prepared set
 * @param startByte where sample 0 begins
 * @param strideBytes from one sample's beginning to the next one's
 * @param sampleBytes of one sample
 * @param layout of the samples in blocks
 * @param runs stretches of samples at equal distances, in order; null, as in the files of versions
 *     that had no such component, where all samples are one
 */
public record ShardFile(
        String name,
        long startByte,
        int strideBytes,
        int sampleBytes,
        BlockLayout layout,
        @Nullable List<Run> runs) {
    public ShardFile {
        runs = runs == null ? null : List.copyOf(runs);
    }

    /**
     * A stretch of samples that begin at equal distances.
     *
     * @param firstSample its first one
     * @param startByte where that begins
     */
    public record Run(long firstSample, long startByte) {}

    /** Samples that all begin at equal distances. */
    public ShardFile(
            String name, long startByte, int strideBytes, int sampleBytes, BlockLayout layout) {
        this(name, startByte, strideBytes, sampleBytes, layout, null);
    }

    /** Samples in runs, each of at least one; {@code samples} in all. */
    public static ShardFile ofRuns(
            String name, List<Run> runs, int strideBytes, int sampleBytes, long samples) {
        if (runs.isEmpty()) {
            return new ShardFile(name, 0, strideBytes, sampleBytes, BlockLayout.of(0, strideBytes));
        }
        Run last = runs.get(runs.size() - 1);
        long span = last.startByte() + (samples - last.firstSample()) * strideBytes;
        long each = Math.max(strideBytes, (span - runs.get(0).startByte()) / samples);
        BlockLayout layout = BlockLayout.of(samples, (int) Math.min(Integer.MAX_VALUE, each));
        return new ShardFile(name, runs.get(0).startByte(), strideBytes, sampleBytes, layout, runs);
    }

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
        return sampleStart(block * layout.blockSamples());
    }

    /** Length of block {@code block}. */
    public int blockBytes(long block) {
        long last = block * layout.blockSamples() + layout.samplesOf(block) - 1;
        return Math.toIntExact(sampleStart(last) + sampleBytes - blockStart(block));
    }

    /** Where sample {@code sample} begins. */
    public long sampleStart(long sample) {
        if (runs == null) {
            return startByte + sample * strideBytes;
        }
        int low = 0;
        int high = runs.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (runs.get(middle).firstSample() <= sample) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Run run = runs.get(low);
        return run.startByte() + (sample - run.firstSample()) * strideBytes;
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
        return new ShardFile(name, startByte, strideBytes, sampleBytes, changed, runs);
    }
}
