/**
 * The training loop of a worker and the state that it moves on. Read {@link
 * dev.medley.training.loop.TrainingLoop} first.
 *
 * <p>May use: everything below training. Never: control; instruments are around the loop, not in
 * it.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.loop;

import org.jspecify.annotations.NullMarked;
