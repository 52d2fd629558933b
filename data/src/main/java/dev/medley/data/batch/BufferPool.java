package dev.medley.data.batch;

import dev.medley.base.job.Signature;
import dev.medley.data.shard.BatchBuffers;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps batch memory beyond the life of a stream. A new stream after a change of plan reuses the
 * memory of the last one.
 *
 * <p>Thread: any.
 */
final class BufferPool {
    private final Signature signature;
    private final Deque<BatchBuffers> spare = new ArrayDeque<>();

    BufferPool(Signature signature) {
        this.signature = signature;
    }

    synchronized BatchBuffers take() {
        BatchBuffers buffers = spare.pollFirst();
        return buffers == null ? new BatchBuffers(signature) : buffers;
    }

    synchronized void give(BatchBuffers buffers) {
        spare.addFirst(buffers);
    }
}
