/**
 * Costs of what workers exchange in a round: sums, letters and what of them is seen.
 *
 * <p>May use: base, plan's codecs. Never: clocks, sockets.
 *
 * <p>Thread: pure values.
 */
@NullMarked
package dev.medley.plan.cost;

import org.jspecify.annotations.NullMarked;
