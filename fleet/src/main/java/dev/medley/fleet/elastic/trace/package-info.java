/**
 * Reads Pollux's traces: workloads, measured step times by placement and batch, and how far a job
 * comes with what gradient noise.
 *
 * <p>May use: base. Never: clocks, threads, randomness.
 *
 * <p>Thread: values; any.
 */
@NullMarked
package dev.medley.fleet.elastic.trace;

import org.jspecify.annotations.NullMarked;
