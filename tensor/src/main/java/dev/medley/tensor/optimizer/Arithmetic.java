package dev.medley.tensor.optimizer;

/** The arithmetic of an update: LibTorch's kernels or plain Java. */
public enum Arithmetic {
    /** LibTorch's kernels: fast; bit-equal between processes with one kernel key. */
    LIBTORCH,
    /** Plain Java, strict IEEE in a fixed order: bit-equal on every CPU. */
    STRICT
}
