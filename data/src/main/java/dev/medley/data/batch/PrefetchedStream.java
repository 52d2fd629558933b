package dev.medley.data.batch;

import dev.medley.base.ConfigException;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.OriginGoneException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Prepares batches ahead on a thread of its own. The buffers are the only throttle: {@code ahead}
 * that may be ready, one being filled, two with the caller. The thread is never interrupted, since
 * that would close the files it reads; it stops when it asks for a buffer.
 */
final class PrefetchedStream implements BatchStream {
    private static final int HELD_BY_CALLER = 2;
    private static final long JOIN_MILLIS = 10_000;
    private static final long LOOK_MILLIS = 1_000;

    /** A batch with its memory, or why there is none. */
    private record Ready(
            long step, BatchBuffers buffers, Batch batch, @Nullable Throwable failure) {}

    private final Clock clock;
    private final BatchAssembler assembler;
    private final LongFunction<SampleRange> rangeOfStep;
    private final BufferPool pool;
    private final BatchBuffers stop;
    private final int refillAt;
    private final List<BatchBuffers> all = new ArrayList<>();
    private final BlockingQueue<BatchBuffers> free = new LinkedBlockingQueue<>();
    private final BlockingQueue<Ready> ready = new LinkedBlockingQueue<>();
    private final Thread thread;

    /** Two with the caller, before them what it is done with. */
    private final Deque<BatchBuffers> held = new ArrayDeque<>();

    private @Nullable Ready failed;
    private long stallNs;
    private volatile boolean closed;

    PrefetchedStream(
            BatchAssembler assembler,
            LongFunction<SampleRange> rangeOfStep,
            long firstStep,
            int ahead,
            BufferPool pool,
            Clock clock) {
        this.assembler = assembler;
        this.rangeOfStep = rangeOfStep;
        this.clock = clock;
        this.pool = pool;
        this.stop = pool.take();
        this.refillAt = ahead / 2;
        for (int i = 0; i < held(ahead); i++) {
            BatchBuffers buffers = pool.take();
            all.add(buffers);
            free.add(buffers);
        }
        thread = new Thread(() -> prepare(firstStep), "medley-data");
        thread.setDaemon(true);
        thread.start();
    }

    /** Batches that have memory, of which so many may be ready. */
    static int held(int ahead) {
        return ahead + 1 + HELD_BY_CALLER;
    }

    @Override
    public Batch next() {
        if (closed) {
            throw new IllegalStateException("the stream is closed");
        }
        if (failed == null) {
            Ready next = take();
            if (next.failure() == null) {
                held.addLast(next.buffers());
                giveBack();
                return next.batch();
            }
            failed = next;
        }
        throw failure(failed);
    }

    @Override
    public long stallNs() {
        long waited = stallNs;
        stallNs = 0;
        return waited;
    }

    @Override
    public void close() {
        closed = true;
        free.clear();
        free.add(stop);
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!thread.isAlive() && !all.isEmpty()) {
            pool.give(stop);
            all.forEach(pool::give);
            all.clear();
        }
    }

    /**
     * Wakes the thread once for several batches: where all cores compute, it takes one of them, and
     * taking it is dearer than a small batch.
     */
    private void giveBack() {
        if (ready.size() <= refillAt) {
            while (held.size() > HELD_BY_CALLER) {
                free.add(held.removeFirst());
            }
        }
    }

    private Ready take() {
        Ready next = ready.poll();
        if (next != null) {
            return next;
        }
        long since = clock.nowNs();
        try {
            while (next == null) {
                next = ready.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (next == null && ready.isEmpty() && !thread.isAlive()) {
                    throw new IllegalStateException("the data thread ended without a word");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for data", e);
        } finally {
            stallNs += clock.nowNs() - since;
        }
        return next;
    }

    private void prepare(long firstStep) {
        long step = firstStep;
        BatchBuffers buffers = stop;
        try {
            for (; ; step++) {
                buffers = free.take();
                if (buffers == stop || closed) {
                    return;
                }
                SampleRange range = rangeOfStep.apply(step);
                Batch batch = assembler.assemble(range, buffers, () -> closed);
                ready.add(new Ready(step, buffers, batch, null));
                assembler.readAhead(range, () -> closed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            ready.add(new Ready(step, buffers, stop.batch(0), e));
        }
    }

    /** A fresh exception of the caller's own thread. */
    private static RuntimeException failure(Ready failed) {
        String what = "data of step " + failed.step() + ": ";
        Throwable e = failed.failure();
        if (e instanceof ConfigException) {
            return new ConfigException(what + e.getMessage(), e);
        }
        if (e instanceof OriginGoneException) {
            return new OriginGoneException(what + e.getMessage(), e);
        }
        if (e instanceof UncheckedIOException io) {
            return new UncheckedIOException(what + io.getMessage(), io.getCause());
        }
        return new IllegalStateException(what + e, e);
    }
}
