/**
 * Simulates a job or a well-known model on a cluster that nobody has rented yet. It is the front
 * door of {@code plan.simulator}.
 *
 * <p>May use: base, plan.simulator, profile, store, tensor's layouts, training's cut into buckets,
 * {@code api.job}. Never: processes, sockets.
 *
 * <p>Thread: calls are independent of each other.
 */
@NullMarked
package dev.medley.api.simulate;

import org.jspecify.annotations.NullMarked;
