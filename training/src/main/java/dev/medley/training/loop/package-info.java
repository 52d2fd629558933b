/**
 * Trains a worker step by step, and holds the state that steps move on. Read {@link
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
