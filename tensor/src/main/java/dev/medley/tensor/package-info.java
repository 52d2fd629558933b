/**
 * Wraps LibTorch: tensors, memory scopes, automatic differentiation, scripts, and the machine's
 * settings. Every other package of this module speaks in {@link dev.medley.tensor.Tensor}.
 *
 * <p>May use: base, LibTorch (the only package that does), the folder that its libraries are
 * unpacked into. Never: sockets, other files of the user, the exchange.
 *
 * <p>Thread: {@link dev.medley.tensor.Torch#start} once per process; a {@link
 * dev.medley.tensor.MemoryScope} and what is made inside it belong to one thread.
 */
@NullMarked
package dev.medley.tensor;

import org.jspecify.annotations.NullMarked;
