/**
 * Trains trees in rounds: each member grows them on the rows of its share, and XGBoost's collective
 * among them finds the splits.
 *
 * <p>May use: base, exchange, data, trees, training's strategies. Never: files.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.boosting;

import org.jspecify.annotations.NullMarked;
