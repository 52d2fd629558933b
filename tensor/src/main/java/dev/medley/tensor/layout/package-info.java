/**
 * Lays the parameters of a model out in one buffer, each in its slot, in groups that an optimizer
 * treats alike.
 *
 * <p>May use: base, tensor. Never: networks, files.
 *
 * <p>Thread: values; any.
 */
@NullMarked
package dev.medley.tensor.layout;

import org.jspecify.annotations.NullMarked;
