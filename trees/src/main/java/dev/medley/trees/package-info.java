/**
 * Grows ensembles of trees, by XGBoost, which nothing outside of this package sees.
 *
 * <p>May use: base, tensor's learners. Never: sockets beside {@link
 * dev.medley.trees.CollectiveTracker}, files.
 *
 * <p>Thread: an ensemble belongs to one thread, and so does its membership of a collective.
 */
@NullMarked
package dev.medley.trees;

import org.jspecify.annotations.NullMarked;
