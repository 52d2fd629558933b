package dev.medley.data.batch;

import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.BlockCache;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import dev.medley.data.shard.ShardFile;
import java.io.IOException;

/** Reads samples of a prepared file. */
final class ShardReader implements SampleReader {
    private final ShardFile file;
    private final BlockCache cache;
    private final RecordDecoder decoder;

    /** The block of the sample before, which often has the next one. */
    private long lastNumber = -1;

    private byte[] last = new byte[0];

    ShardReader(ShardFile file, BlockCache cache, RecordDecoder decoder) {
        this.file = file;
        this.cache = cache;
        this.decoder = decoder;
    }

    @Override
    public void read(SampleKey sample, BatchBuffers batch, int row) {
        int blockSamples = file.layout().blockSamples();
        long number = sample.index() / blockSamples;
        if (number != lastNumber) {
            last = block(number);
            lastNumber = number;
        }
        byte[] block = last;
        int offset = (int) (file.sampleStart(sample.index()) - file.blockStart(number));
        decoder.decode(block, offset, sample, batch, row);
    }

    @Override
    public void fetch(long block) {
        block(block);
    }

    private byte[] block(long block) {
        try {
            return cache.block(file, block);
        } catch (IOException e) {
            throw TrainingData.unreadable(cache.folder(), e);
        }
    }
}
