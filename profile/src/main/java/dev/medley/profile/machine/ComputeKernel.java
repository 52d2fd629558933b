package dev.medley.profile.machine;

/**
 * A kernel to time: a matrix product of the library that will train. Handed in, so that measuring
 * does not depend on that library.
 *
 * @param name of the figure, {@code fp32}
 * @param flops floating-point operations of one run
 * @param once one run, with as many threads as training would use
 */
public record ComputeKernel(String name, double flops, Runnable once) {
    public ComputeKernel {
        if (!(flops > 0)) {
            throw new IllegalArgumentException(name + ": " + flops + " operations");
        }
    }
}
