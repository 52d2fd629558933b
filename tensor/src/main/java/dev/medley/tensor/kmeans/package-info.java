/**
 * Finds k centres of samples: the start by k-means||, Lloyd's iterations with bounds, and batches.
 * Distances come from matrix products in single precision; wherever two centres are so near that
 * these could err, double precision decides. Sums are exact. So what is found does not depend on
 * how samples lie on workers.
 *
 * <p>May use: base, tensor's memory and layout. Never: the exchange, files.
 *
 * <p>Thread: the training thread; {@code KMeansLearner.evaluate} may run on several.
 */
@NullMarked
package dev.medley.tensor.kmeans;

import org.jspecify.annotations.NullMarked;
