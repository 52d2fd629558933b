/**
 * Builds the residual networks that are known by name, of layers for images.
 *
 * <p>May use: base, tensor. Never: files, the layout of parameters.
 *
 * <p>Thread: that of the model.
 */
@NullMarked
package dev.medley.tensor.vision;

import org.jspecify.annotations.NullMarked;
