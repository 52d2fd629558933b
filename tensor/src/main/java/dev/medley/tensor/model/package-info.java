/**
 * Builds whole models and trains them: the named families, a user's own, and the replica of one
 * worker. What training needs of a model, or of whatever else learns, is {@link
 * dev.medley.tensor.model.Learner}.
 *
 * <p>May use: base, and the rest of tensor but LibTorch's bindings. Never: the exchange, files.
 *
 * <p>Thread: a replica learns on one thread; it may answer on several at once while none learns.
 */
@NullMarked
package dev.medley.tensor.model;

import org.jspecify.annotations.NullMarked;
