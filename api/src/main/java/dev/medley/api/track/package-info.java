/**
 * Tells trackers of a run: an MLflow server over its REST API, and event files of TensorBoard.
 *
 * <p>May use: base, record, store, {@code api.job}. Never: training, plan, control.
 *
 * <p>Thread: observers on the coordinating thread, which never waits; what goes to a server goes on
 * a thread of its own.
 */
@org.jspecify.annotations.NullMarked
package dev.medley.api.track;
