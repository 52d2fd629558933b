/**
 * Copies the state of one member to those that join, over the links of their group.
 *
 * <p>May use: base, net. Never: what the state means.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.exchange.copy;

import org.jspecify.annotations.NullMarked;
