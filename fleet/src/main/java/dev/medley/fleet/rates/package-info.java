/**
 * Estimates how fast a job would run on a machine type on which it never ran. It rests on what jobs
 * like it did there, and on what it did elsewhere, and has an error.
 *
 * <p>May use: base. Never: clocks, files, threads.
 *
 * <p>Thread: values; any.
 */
@NullMarked
package dev.medley.fleet.rates;

import org.jspecify.annotations.NullMarked;
