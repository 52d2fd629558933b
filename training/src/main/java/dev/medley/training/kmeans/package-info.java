/**
 * Trains a k-means: by all samples, which each member keeps, or by batches.
 *
 * <p>May use: base, tensor, training's strategies and buckets. Never: files.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.kmeans;

import org.jspecify.annotations.NullMarked;
