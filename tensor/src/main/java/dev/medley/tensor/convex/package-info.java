/**
 * Fits linear models by all samples at once: their losses, sums that do not depend on who adds
 * what, and the minimiser that follows from these.
 *
 * <p>May use: base, tensor's layouts and learners. Never: LibTorch. All arithmetic is strict, so
 * that every machine comes to the same bits.
 *
 * <p>Thread: a learner belongs to the training thread.
 */
@NullMarked
package dev.medley.tensor.convex;

import org.jspecify.annotations.NullMarked;
