/**
 * Reads token sequences with transformers: a decoder that says the next token, and an encoder that
 * says the class, drawn anew or begun with a pretrained model's parameters.
 *
 * <p>May use: base, tensor. Never: files, the layout of parameters.
 *
 * <p>Thread: that of the model.
 */
@NullMarked
package dev.medley.tensor.language;

import org.jspecify.annotations.NullMarked;
