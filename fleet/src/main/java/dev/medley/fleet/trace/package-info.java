/**
 * Reads and draws workloads: jobs with arrivals, work, and rates by machine type.
 *
 * <p>May use: base. Never: clocks, threads; randomness only from seeds.
 *
 * <p>Thread: values; any.
 */
@NullMarked
package dev.medley.fleet.trace;

import org.jspecify.annotations.NullMarked;
