/**
 * Trains by gradients through all groups of a worker: what it loads, reports and keeps; and the
 * main of worker processes, which knows all tasks.
 *
 * <p>May use: everything below training. Never: control.
 *
 * <p>Thread: the worker's, which is the training thread.
 */
@NullMarked
package dev.medley.training.worker;

import org.jspecify.annotations.NullMarked;
