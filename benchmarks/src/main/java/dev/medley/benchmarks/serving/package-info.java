/**
 * Measures servers of models, and prediction of files: a generator of load whose latencies count
 * from the time at which a request was due, and servers to compare with.
 *
 * <p>May use: what is measured, and Armeria for gRPC and for what is compared. Never: the network
 * of training.
 *
 * <p>Thread: the generator's own, but for gRPC, whose answers come on Armeria's.
 */
@NullMarked
package dev.medley.benchmarks.serving;

import org.jspecify.annotations.NullMarked;
