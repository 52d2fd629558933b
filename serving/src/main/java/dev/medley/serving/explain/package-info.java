/**
 * Explains predictions beside the way of requests: a desk of its own with few threads and a bounded
 * queue, and figures of what columns add.
 *
 * <p>May use: input, answer, batch, inference. Never: a socket, the host of models.
 *
 * <p>Thread: explanations are computed on the desk's; the rest is for any.
 */
@NullMarked
package dev.medley.serving.explain;

import org.jspecify.annotations.NullMarked;
