/**
 * Computes predictions for files: new data in, one row for each sample out, in file order.
 *
 * <p>May use: api's trained models and worker processes, data's sets, control's coordinator, and of
 * training what a worker needs to predict. Never: the rest of training.
 *
 * <p>Thread: the caller's, with threads and processes of its own that end before a call returns.
 */
@NullMarked
package dev.medley.api.predict;

import org.jspecify.annotations.NullMarked;
