/**
 * What a job or a well-known model would do on a cluster that nobody has rented yet: the front door
 * of {@code control.simulator}.
 *
 * <p>May use: base, control.simulator, profile, store, tensor's layouts, training's cut into
 * buckets, {@code api.job}. Never: processes, sockets.
 *
 * <p>Thread: every call stands alone.
 */
@NullMarked
package dev.medley.api.simulate;

import org.jspecify.annotations.NullMarked;
