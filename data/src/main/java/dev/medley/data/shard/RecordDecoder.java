package dev.medley.data.shard;

/**
 * Turns one stored sample into a row of a batch.
 *
 * <p>Thread: an instance belongs to one thread, since it may keep scratch memory.
 */
public interface RecordDecoder {
    /**
     * Fills row {@code row} of every array of {@code batch}.
     *
     * @param block bytes of a block
     * @param offset where the sample begins in it
     * @param sample where it lies in the set
     * @param batch has room for the row
     * @param row of the batch
     */
    void decode(byte[] block, int offset, SampleKey sample, BatchBuffers batch, int row);
}
