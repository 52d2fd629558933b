/**
 * Elastic shares: how many machines each job has, as jobs come and go.
 *
 * <p>May use: base, the view. Never: clocks, files, threads, randomness.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.fleet.policy.elastic;

import org.jspecify.annotations.NullMarked;
