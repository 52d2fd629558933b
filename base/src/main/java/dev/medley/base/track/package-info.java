/**
 * Names the trackers that are told of a run.
 *
 * <p>May use: base alone. Never: anything that asks a tracker.
 *
 * <p>Thread: any; values do not change.
 */
@NullMarked
package dev.medley.base.track;

import org.jspecify.annotations.NullMarked;
