/**
 * Reads language models that were trained elsewhere, as Hugging Face's transformers saves them, and
 * writes adapters as its PEFT reads them.
 *
 * <p>May use: base, data, store, tensor.language. Never: control, training, sockets.
 *
 * <p>Thread: any; values and pure functions.
 */
@NullMarked
package dev.medley.inference.pretrained;

import org.jspecify.annotations.NullMarked;
