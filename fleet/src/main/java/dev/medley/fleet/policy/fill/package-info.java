/**
 * Gives jobs that can use more machines than they need those that a policy left idle.
 *
 * <p>May use: base, the view. Never: clocks, files, threads.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.fleet.policy.fill;

import org.jspecify.annotations.NullMarked;
