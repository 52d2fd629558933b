/**
 * Prepares data for training, evaluation and prediction: files in, shards out.
 *
 * <p>{@link dev.medley.data.dataset.Datasets} prepares a set once; every worker opens what was
 * prepared as {@link dev.medley.data.batch.TrainingData}. See docs/data.md.
 *
 * <p>May use: base, the other packages of data, store.file. Never: LibTorch, sockets of its own.
 *
 * <p>Thread: preparation on the caller's thread; batches of training on one thread of their own.
 */
@NullMarked
package dev.medley.data.dataset;

import org.jspecify.annotations.NullMarked;
