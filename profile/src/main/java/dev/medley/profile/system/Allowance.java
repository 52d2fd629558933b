package dev.medley.profile.system;

import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds how much of its machine a process may use at a moment. A container may be given more or
 * less while it runs: Kubernetes resizes pods in place, and systemd and Docker change limits too.
 *
 * @param processors that its threads may run on
 * @param quotaCores processor time that the control group grants, in cores; null for no limit
 * @param memoryBytes that the control group grants; null for no limit
 */
public record Allowance(int processors, @Nullable Double quotaCores, @Nullable Long memoryBytes) {
    /** Reads what this process may use, anew at each call: some small files of the kernel. */
    public static Supplier<Allowance> ofThisProcess() {
        return of(Cgroup.of(SystemFiles.REAL), () -> Runtime.getRuntime().availableProcessors());
    }

    /**
     * What this process might use when this was first asked: a worker asks when it begins, so that
     * what changes while it gets its data is a change.
     */
    public static Allowance atStart() {
        return AtStart.ALLOWANCE;
    }

    private static final class AtStart {
        private static final Allowance ALLOWANCE = ofThisProcess().get();

        private AtStart() {}
    }

    static Supplier<Allowance> of(Cgroup cgroup, IntSupplier processors) {
        return () ->
                new Allowance(
                        processors.getAsInt(), cgroup.quotaCores(), cgroup.memoryLimitBytes());
    }

    /** Cores' worth of time. */
    public double cores() {
        return quotaCores == null ? processors : Math.min(processors, quotaCores);
    }

    /**
     * Threads by this allowance, for a process that began with {@code threads} under {@code
     * before}: in proportion to whole cores, at least one, and no more than there are processors
     * unless it began with more. An allowance that is what it was gives what it had.
     */
    public int threads(int threads, Allowance before) {
        if (wholeCores() == before.wholeCores()) {
            return threads;
        }
        long wanted = Math.round((double) threads * wholeCores() / before.wholeCores());
        return (int) Math.max(1, Math.min(wanted, Math.max(threads, processors)));
    }

    /** Rounded up, as the JVM does it. */
    private int wholeCores() {
        return Math.max(1, (int) Math.ceil(cores() - 1e-9));
    }
}
