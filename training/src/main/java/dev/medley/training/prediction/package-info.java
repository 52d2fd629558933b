/**
 * Predicts all samples of files, block by block, as the task of a worker.
 *
 * <p>May use: everything below training. Never: control.
 *
 * <p>Thread: the worker's.
 */
@NullMarked
package dev.medley.training.prediction;

import org.jspecify.annotations.NullMarked;
