/**
 * Finds rows by key alone, in a file that a loop writes beside the versions of its model.
 *
 * <p>May use: base, serving.input, serving.protocol. Never: Armeria, sockets.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.serving.online;

import org.jspecify.annotations.NullMarked;
