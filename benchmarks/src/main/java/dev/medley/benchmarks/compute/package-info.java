/**
 * Measures forward, backward and update of one process against PyTorch on the same core. The models
 * are those of the peer's {@code synthetic-*} tasks at its default batches.
 *
 * <p>May use: base, tensor. Never: the exchange, control.
 *
 * <p>Thread: the main thread of a process of its own for each measurement.
 */
@NullMarked
package dev.medley.benchmarks.compute;

import org.jspecify.annotations.NullMarked;
