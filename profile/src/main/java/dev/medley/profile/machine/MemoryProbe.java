package dev.medley.profile.machine;

import dev.medley.base.text.Units;
import dev.medley.base.time.Clock;
import dev.medley.profile.machine.MachineProfile.Memory;
import dev.medley.profile.system.Cgroup;
import dev.medley.profile.system.SystemFiles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import oshi.SystemInfo;
import oshi.hardware.GlobalMemory;

/**
 * Reads the memory's size, and measures its bandwidth as STREAM's copy does (McCalpin 1995). Every
 * usable core copies a block of its own that does not fit the cache, all at once.
 */
final class MemoryProbe {
    /** Enough to pass most caches; and little enough for a process that goes on to train. */
    private static final long FULL_BYTES = 256L << 20;

    private static final long QUICK_BYTES = 32L << 20;
    private static final int FULL_REPEATS = 7;
    private static final int QUICK_REPEATS = 4;
    private static final int LEAST_BLOCK_BYTES = 4 << 20;

    private final Clock clock;

    MemoryProbe(Clock clock) {
        this.clock = clock;
    }

    /** Sizes and limits; the bandwidth is not known yet. */
    static Memory look(SystemFiles files, Cgroup cgroup) {
        Figure not = Figure.unknown("not measured");
        Long totalKib = files.numberAfter("/proc/meminfo", "MemTotal");
        Long availableKib = files.numberAfter("/proc/meminfo", "MemAvailable");
        if (totalKib != null && availableKib != null) {
            return new Memory(totalKib << 10, availableKib << 10, cgroup.memoryLimitBytes(), not);
        }
        GlobalMemory memory = new SystemInfo().getHardware().getMemory();
        return new Memory(memory.getTotal(), memory.getAvailable(), null, not);
    }

    /** Read and written by as many threads as there are cores to use. */
    Figure bandwidth(MachineProfile.Processor processor, MachineProfile.Scope scope) {
        int threads = (int) Math.max(1, Math.round(processor.usableCores()));
        long cacheBytes = processor.lastCacheBytes();
        boolean isFull = scope == MachineProfile.Scope.FULL;
        long wanted = Math.max(64L << 20, 4 * cacheBytes);
        long bytes = Math.min(isFull ? FULL_BYTES : QUICK_BYTES, wanted);
        int block = (int) Math.max(LEAST_BLOCK_BYTES, bytes / threads / 2);
        String how =
                String.format(
                        java.util.Locale.ROOT,
                        "%d thread%s copy %s each, bytes read and written",
                        threads,
                        threads == 1 ? "" : "s",
                        Units.bytes(block));
        try {
            Figure figure =
                    Figure.measured(
                            copies(threads, block, isFull ? FULL_REPEATS : QUICK_REPEATS), how);
            return 2L * block * threads >= 2 * cacheBytes && cacheBytes > 0
                    ? figure
                    : figure.estimated("the cache may have helped");
        } catch (OutOfMemoryError e) {
            return Figure.unknown("this JVM has no room for the blocks to copy");
        }
    }

    /** Bytes per second of each repeat after a first one that only touches the pages. */
    private double[] copies(int threads, int block, int repeats) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CyclicBarrier barrier = new CyclicBarrier(threads);
        try {
            List<Future<long[]>> copiers = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                ByteBuffer from = ByteBuffer.allocateDirect(block);
                ByteBuffer to = ByteBuffer.allocateDirect(block);
                copiers.add(pool.submit(() -> copy(from, to, barrier, repeats)));
            }
            long[] slowestNs = new long[repeats];
            for (Future<long[]> copier : copiers) {
                long[] tookNs = copier.get();
                for (int i = 0; i < repeats; i++) {
                    slowestNs[i] = Math.max(slowestNs[i], tookNs[i]);
                }
            }
            double[] rates = new double[repeats];
            for (int i = 0; i < repeats; i++) {
                rates[i] = 2.0 * block * threads * 1e9 / slowestNs[i];
            }
            return rates;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new double[0];
        } catch (ExecutionException e) {
            throw new IllegalStateException("copying memory failed", e);
        } finally {
            pool.shutdownNow();
        }
    }

    private long[] copy(ByteBuffer from, ByteBuffer to, CyclicBarrier barrier, int repeats)
            throws Exception {
        long[] tookNs = new long[repeats];
        for (int i = -1; i < repeats; i++) {
            barrier.await();
            long startNs = clock.nowNs();
            to.clear().put(from.clear());
            if (i >= 0) {
                tookNs[i] = Math.max(1, clock.nowNs() - startNs);
            }
        }
        return tookNs;
    }
}
