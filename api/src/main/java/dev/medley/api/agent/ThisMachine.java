package dev.medley.api.agent;

import dev.medley.base.time.Clock;
import dev.medley.profile.machine.ComputeKernel;
import dev.medley.profile.machine.KnownMachine;
import dev.medley.profile.machine.MachineProbe;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.tensor.Gemm;
import dev.medley.tensor.Torch;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;

/** Measures the machine that this process runs on, with the arithmetic that training uses. */
public final class ThisMachine {
    private static final int SIDE = 768;
    private static final int ROUNDS = 4;

    private ThisMachine() {}

    /**
     * Everything, in a few seconds, with as many threads as there are cores; kept for runs on this
     * machine.
     *
     * @param folder whose disk is measured
     * @param caches folder of caches, as runs and agents have it
     */
    public static MachineProfile measure(Path folder, Path caches) {
        Clock clock = Clock.system();
        Torch.start(Runtime.getRuntime().availableProcessors());
        Gemm gemm = new Gemm(clock);
        List<ComputeKernel> kernels =
                List.of(
                        kernel("fp32", rounds -> gemm.fp32FlopsPerSecond(SIDE, rounds)),
                        kernel("bf16", rounds -> gemm.bf16FlopsPerSecond(SIDE, rounds)));
        return new KnownMachine(new MachineProbe(clock, folder, kernels), caches, clock).measure();
    }

    /** One run makes a product to warm up, and then {@link #ROUNDS} more. */
    private static ComputeKernel kernel(String name, IntConsumer products) {
        double flops = (1 + ROUNDS) * 2.0 * SIDE * SIDE * SIDE;
        return new ComputeKernel(name, flops, () -> products.accept(ROUNDS));
    }
}
