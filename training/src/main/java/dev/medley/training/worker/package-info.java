/**
 * Runs the worker process, from its main to its last word. It knows an address and an assignment,
 * but nothing of what started it.
 *
 * <p>May use: everything below training. Never: control.
 *
 * <p>Thread: {@link dev.medley.training.worker.WorkerSession} is shared by the control connection's
 * reading thread and the training thread; everything else belongs to the training thread.
 */
@NullMarked
package dev.medley.training.worker;

import org.jspecify.annotations.NullMarked;
