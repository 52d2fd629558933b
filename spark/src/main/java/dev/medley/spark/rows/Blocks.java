package dev.medley.spark.rows;

import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockData;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.reflect.ClassTag;

/**
 * Keeps chunks of bytes in Spark's block manager. That counts them in the executor's memory, puts
 * them on its disk where there is no room, and gives them to other executors.
 *
 * <p>Thread: any.
 */
final class Blocks implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int set;
    private final int copies;

    /** Of the set of that number, which is one of an RDD that there is not. */
    Blocks(int set) {
        this(set, 1);
    }

    /** The same of which so many executors keep each chunk, if there are as many. */
    Blocks(int set, int copies) {
        this.set = set;
        this.copies = copies;
    }

    /** The same set, of which this executor keeps what it puts by itself. */
    Blocks alone() {
        return new Blocks(set, 1);
    }

    /** How many executors have a chunk. */
    int holders(int chunk) {
        return manager().master().getLocations(id(chunk)).size();
    }

    private BlockId id(int chunk) {
        return new RDDBlockId(set, chunk);
    }

    private static BlockManager manager() {
        return SparkEnv.get().blockManager();
    }

    /**
     * Keeps a chunk in this executor, in place of an older one, which another attempt may have
     * left.
     */
    void put(int chunk, byte[] bytes) throws IOException {
        drop(chunk);
        boolean isKept =
                manager()
                        .putBytes(
                                id(chunk),
                                new ChunkedByteBuffer(ByteBuffer.wrap(bytes)),
                                level(),
                                true,
                                ClassTag.Byte());
        if (!isKept && !isHere(chunk)) {
            throw new IOException(
                    "an executor has room for %d more bytes neither in memory nor on its disk"
                            .formatted(bytes.length));
        }
    }

    private StorageLevel level() {
        return copies > 1
                ? StorageLevel.MEMORY_AND_DISK_SER_2()
                : StorageLevel.MEMORY_AND_DISK_SER();
    }

    /** Keeps it here no longer. */
    void drop(int chunk) {
        if (isHere(chunk)) {
            manager().removeBlock(id(chunk), true);
        }
    }

    /** Whether this executor has it. */
    boolean isHere(int chunk) {
        return manager().getStatus(id(chunk)).isDefined();
    }

    /** The bytes of a chunk that is here; null if it is not. */
    byte @Nullable [] here(int chunk) {
        byte[][] whole = new byte[1][];
        boolean isHere =
                read(
                        chunk,
                        bytes -> {
                            whole[0] = new byte[bytes.remaining()];
                            bytes.get(whole[0]);
                        });
        return isHere ? whole[0] : null;
    }

    /** Copies a part of a chunk that is here; false if it is not. */
    boolean copyFromHere(int chunk, int offset, byte[] into, int at, int length) {
        return read(chunk, bytes -> bytes.position(offset).get(into, at, length));
    }

    private boolean read(int chunk, Consumer<ByteBuffer> use) {
        BlockId id = id(chunk);
        Option<BlockData> found = manager().getLocalBytes(id);
        if (found.isEmpty()) {
            return false;
        }
        BlockData data = found.get();
        try {
            use.accept(data.toByteBuffer().duplicate());
        } finally {
            manager().releaseLock(id, Option.empty());
            data.dispose();
        }
        return true;
    }

    /** The bytes of a chunk that another executor has; null where none has it. */
    byte @Nullable [] fetched(int chunk) {
        BlockId id = id(chunk);
        if (holders(chunk) == 0) {
            return null;
        }
        Option<ChunkedByteBuffer> found = manager().getRemoteBytes(id);
        if (found.isEmpty()) {
            return null;
        }
        try {
            return found.get().toArray();
        } finally {
            found.get().dispose();
        }
    }

    /** Takes all chunks from all executors, and waits until they are gone, or does not. */
    void forget(boolean isWaited) {
        manager().master().removeRdd(set, isWaited);
    }
}
