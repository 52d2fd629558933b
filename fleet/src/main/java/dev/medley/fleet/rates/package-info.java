/**
 * Estimates how fast a job would run on a machine of a type on which it never ran, from what jobs
 * like it did there and it did elsewhere, with an error.
 *
 * <p>May use: base. Never: clocks, files, threads.
 *
 * <p>Thread: values; any.
 */
@NullMarked
package dev.medley.fleet.rates;

import org.jspecify.annotations.NullMarked;
