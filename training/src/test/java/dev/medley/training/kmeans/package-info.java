/**
 * Trains a k-means by the loop, the exchange and the membership that train replicas: what learns
 * without gradients finds all that it needs.
 *
 * <p>May use: all of training. Never: LibTorch.
 *
 * <p>Thread: each worker has one; the coordinator is a monitor.
 */
package dev.medley.training.kmeans;
