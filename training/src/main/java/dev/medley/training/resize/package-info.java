/**
 * Follows what a worker's container may use while it trains.
 *
 * <p>May use: net's messages, profile. Never: control.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.resize;

import org.jspecify.annotations.NullMarked;
