/**
 * Evaluates as a group, to figures that are exact and the same for any number of workers. Fixed
 * blocks of samples are dealt to the ranks, every block's values travel to all, and all compute the
 * figures from them in the order of blocks.
 *
 * <p>May use: base, exchange, tensor, inference.metric. Never: sockets, files.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.evaluation;

import org.jspecify.annotations.NullMarked;
