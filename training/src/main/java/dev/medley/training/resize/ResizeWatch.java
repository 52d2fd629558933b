package dev.medley.training.resize;

import dev.medley.base.Member;
import dev.medley.base.time.Clock;
import dev.medley.net.control.Message.Granted;
import dev.medley.net.control.Message.Resized;
import dev.medley.profile.system.Allowance;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices that this process may use more or less of its machine than before, and changes the number
 * of its threads.
 *
 * <p>The coordinator is told first. A group forms anew for it, in whose view this member has
 * another kernel key: only then do threads change, so that all members know with which kernels the
 * others compute. As long as nothing changes, nothing is done but to read some small files once a
 * second, at a step border.
 *
 * <p>Thread: the training thread.
 */
public final class ResizeWatch {
    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<Allowance> source;
    private final Clock clock;
    private final Kernels kernels;
    private final int firstThreads;
    private final Allowance first;
    private Allowance known; // What was told last, or held at the beginning.
    private Allowance read; // In the last look: a change counts if it is seen twice.
    private int threads;
    private @Nullable Resized told; // For which no group has formed yet.
    private long nextNs;

    /**
     * How this process computes.
     *
     * @param key of its kernels with so many threads
     * @param use has it compute with so many from now on
     */
    public record Kernels(IntFunction<String> key, IntConsumer use) {}

    /** This process computes with {@code threads} threads now, as it is to by what it may use. */
    public ResizeWatch(Supplier<Allowance> source, int threads, Kernels kernels, Clock clock) {
        this(source, source.get(), threads, kernels, clock);
    }

    /** The same, where {@code first} is what the process might use when it took its threads. */
    public ResizeWatch(
            Supplier<Allowance> source,
            Allowance first,
            int threads,
            Kernels kernels,
            Clock clock) {
        this.source = source;
        this.clock = clock;
        this.kernels = kernels;
        this.firstThreads = threads;
        this.threads = threads;
        this.first = first;
        this.known = first;
        this.read = first;
        this.nextNs = clock.nowNs() + EVERY_NS;
    }

    /** What the coordinator is to be told; null for nothing, as nearly always. */
    public @Nullable Resized look() {
        long nowNs = clock.nowNs();
        if (told != null || nowNs < nextNs) {
            return null;
        }
        nextNs = nowNs + EVERY_NS;
        Allowance now = source.get();
        boolean isSteady = now.equals(read);
        read = now;
        if (!isSteady || now.equals(known)) {
            return null;
        }
        int next = now.threads(firstThreads, first);
        told = new Resized(granted(known, threads), granted(now, next), kernels.key().apply(next));
        known = now;
        return told;
    }

    /** A group forms in which this process is that member. */
    public void enter(Member self) {
        Resized awaited = told;
        if (awaited != null && awaited.kernelKey().equals(self.kernelKey())) {
            told = null;
            if (awaited.now().threads() != threads) {
                threads = awaited.now().threads();
                kernels.use().accept(threads);
            }
        }
    }

    private static Granted granted(Allowance of, int threads) {
        Long memory = of.memoryBytes();
        return new Granted(of.cores(), memory == null ? Long.MAX_VALUE : memory, threads);
    }
}
