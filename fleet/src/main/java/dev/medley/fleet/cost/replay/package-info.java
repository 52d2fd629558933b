/**
 * Plays policies for spot machines over logs on virtual time, beside what somebody who knew the
 * whole log would have paid.
 *
 * <p>May use: base, the market, the policies. Never: clocks, sockets, randomness.
 *
 * <p>Thread: the caller's; the same log, job and policy give the same bits.
 */
@NullMarked
package dev.medley.fleet.cost.replay;

import org.jspecify.annotations.NullMarked;
