/**
 * Moves letters from one member of a group to another, beside the sums that all make together: no
 * member waits for the whole group. Read {@link dev.medley.exchange.post.Post} first.
 *
 * <p>May use: base, net.link. Never: the collectives, tensors, files.
 *
 * <p>Thread: a thread of its own moves letters and calls the handler; the training thread sends and
 * waits.
 */
@NullMarked
package dev.medley.exchange.post;

import org.jspecify.annotations.NullMarked;
