/**
 * Where the time of a step goes.
 *
 * <p>May use: base. Never: files, sockets, LibTorch.
 *
 * <p>Thread: a timer belongs to the thread that trains; its results are values.
 */
@NullMarked
package dev.medley.profile.span;

import org.jspecify.annotations.NullMarked;
