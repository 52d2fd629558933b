package dev.medley.profile.machine;

import dev.medley.base.time.Clock;
import dev.medley.profile.machine.MachineProfile.KernelSpeed;
import java.util.Arrays;

/** Times the kernels that the caller handed in. */
final class KernelProbe {
    private static final int MOST_REPEATS = 25;
    private static final int LEAST_REPEATS = 3;

    private final Clock clock;

    KernelProbe(Clock clock) {
        this.clock = clock;
    }

    /** Runs a kernel for about {@code budgetNs} after one run that warms it up. */
    KernelSpeed probe(ComputeKernel kernel, long budgetNs) {
        try {
            kernel.once().run();
            double[] rates = new double[MOST_REPEATS];
            int repeats = 0;
            long endNs = clock.nowNs() + budgetNs;
            while (repeats < LEAST_REPEATS || (repeats < MOST_REPEATS && clock.nowNs() < endNs)) {
                long startNs = clock.nowNs();
                kernel.once().run();
                rates[repeats++] = kernel.flops() * 1e9 / Math.max(1, clock.nowNs() - startNs);
            }
            return new KernelSpeed(
                    kernel.name(),
                    Figure.measured(Arrays.copyOf(rates, repeats), "a matrix product, repeated"));
        } catch (RuntimeException e) {
            return new KernelSpeed(
                    kernel.name(), Figure.unknown("this machine cannot run it: " + e.getMessage()));
        }
    }
}
