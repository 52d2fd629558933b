/**
 * Trains a k-means by the loop, the exchange and the membership that train replicas, and kills a
 * worker within a step.
 *
 * <p>May use: all of training.
 *
 * <p>Thread: each worker has one; the coordinator is a monitor.
 */
package dev.medley.training.kmeans;
