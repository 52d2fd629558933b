/**
 * Wraps policies in what an operator promises: priorities, quotas, shares by group and user,
 * reservations, budgets, and no move that costs more than it gains.
 *
 * <p>May use: base, the view. Never: clocks, files, threads, randomness.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.fleet.policy.quota;

import org.jspecify.annotations.NullMarked;
