/**
 * All-reduce between processes, against torch.distributed on Gloo in the same run.
 *
 * <p>May use: base, exchange. Never: tensor, training.
 *
 * <p>Thread: one per process.
 */
@NullMarked
package dev.medley.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
