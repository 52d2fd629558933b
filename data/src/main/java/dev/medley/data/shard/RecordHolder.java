package dev.medley.data.shard;

import java.io.IOException;

/**
 * Holds the records of a prepared set that lies in no file: another system of this process keeps
 * them, as Spark's executors do.
 *
 * <p>Thread: any.
 */
public interface RecordHolder {
    /**
     * The bytes of a block, which may come from another machine.
     *
     * @return as many as the block has, not to be changed by anyone
     * @throws IOException if they cannot be had, with the reason
     */
    byte[] block(ShardFile file, long block) throws IOException;

    /** Whether a block is on this machine. */
    boolean isHere(ShardFile file, long block);
}
