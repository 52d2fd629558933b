/**
 * Measures the all-reduce between processes, against torch.distributed on Gloo in the same run, and
 * the codecs and schemes of the exchange.
 *
 * <p>May use: base, exchange. Never: tensor, training.
 *
 * <p>Thread: one per process.
 */
@NullMarked
package dev.medley.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
