/**
 * Prepares data for training, evaluation and prediction: files in, batches out.
 *
 * <p>{@link dev.medley.store.dataset.Datasets} prepares a set once; every worker opens what was
 * prepared as {@link dev.medley.store.dataset.TrainingData}. See docs/data.md.
 *
 * <p>May use: base, the other dataset packages of store. Never: LibTorch, sockets.
 *
 * <p>Thread: preparation on the caller's thread; batches of training on one thread of their own.
 */
@NullMarked
package dev.medley.store.dataset;

import org.jspecify.annotations.NullMarked;
