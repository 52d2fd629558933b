/**
 * Goes on learning between the runs of a loop: new rows are micro-batches of a running model, which
 * becomes a version every so often.
 *
 * <p>May use: the loop's other packages but run, inference's running model. Never: tensor, control.
 *
 * <p>Thread: one a loop.
 */
@NullMarked
package dev.medley.loop.continuous;

import org.jspecify.annotations.NullMarked;
