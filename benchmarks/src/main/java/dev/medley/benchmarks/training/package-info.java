/**
 * Measures whole training runs of two worker processes against PyTorch's DistributedDataParallel,
 * on the same cores, in turn.
 *
 * <p>May use: api. Never: the product uses it.
 *
 * <p>Thread: the main thread; one run at a time.
 */
@NullMarked
package dev.medley.benchmarks.training;

import org.jspecify.annotations.NullMarked;
