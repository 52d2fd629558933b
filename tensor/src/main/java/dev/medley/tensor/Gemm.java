package dev.medley.tensor;

import dev.medley.base.time.Clock;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * Measures the speed of matrix products, the bulk of training, with the threads that {@link
 * Torch#start} set. The figures are for the machine's profile.
 */
public final class Gemm {
    private final Clock clock;

    /** Measures with {@code clock}. */
    public Gemm(Clock clock) {
        this.clock = clock;
    }

    /** Floating-point operations per second of square float32 products, the best of the rounds. */
    public double fp32FlopsPerSecond(int side, int rounds) {
        return measure(torch.ScalarType.Float, side, rounds);
    }

    /** Floating-point operations per second of square bfloat16 products, the best of the rounds. */
    public double bf16FlopsPerSecond(int side, int rounds) {
        return measure(torch.ScalarType.BFloat16, side, rounds);
    }

    private double measure(torch.ScalarType type, int side, int rounds) {
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            TensorOptions options = new TensorOptions(type);
            org.bytedeco.pytorch.Tensor a = torch.ones(new long[] {side, side}, options);
            org.bytedeco.pytorch.Tensor b = torch.ones(new long[] {side, side}, options);
            torch.mm(a, b);
            long bestNs = Long.MAX_VALUE;
            for (int i = 0; i < rounds; i++) {
                long startNs = clock.nowNs();
                torch.mm(a, b);
                bestNs = Math.min(bestNs, clock.nowNs() - startNs);
            }
            return 2.0 * side * side * side * 1e9 / Math.max(1, bestNs);
        }
    }
}
