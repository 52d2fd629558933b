/**
 * Moves files between a coordinator and the machines that work for it. They travel in pieces, over
 * a control connection of their own, and each file is checked by its digest.
 *
 * <p>May use: base, net.control. Never: what the files hold.
 *
 * <p>Thread: a client blocks its caller; one request is under way at a time but for pieces, which
 * are asked for ahead.
 */
@NullMarked
package dev.medley.net.files;

import org.jspecify.annotations.NullMarked;
