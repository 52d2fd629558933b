/**
 * Judges outputs of a model: metrics of blocks of samples that add up, whoever computes which
 * block.
 *
 * <p>May use: base, tensor's models. Never: sockets, exchange, files.
 *
 * <p>Thread: a metric is a value; an evaluator belongs to one thread.
 */
@NullMarked
package dev.medley.inference.metric;

import org.jspecify.annotations.NullMarked;
