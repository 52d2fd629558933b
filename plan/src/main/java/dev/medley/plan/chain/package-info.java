/**
 * Plans of a job, put together of what each of its settings adds: one list for runs, {@code plan}
 * and {@code simulate}.
 *
 * <p>May use: base, plan's sources, strategies, codecs and policies. Never: clocks, sockets.
 *
 * <p>Thread: what is made belongs to whoever plans.
 */
@NullMarked
package dev.medley.plan.chain;

import org.jspecify.annotations.NullMarked;
