/**
 * Reads what callers send as the samples of a model, by the encoding that was fitted in training.
 *
 * <p>May use: base, data, serving.tensor. Never: protocols, LibTorch, Armeria.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.serving.input;

import org.jspecify.annotations.NullMarked;
