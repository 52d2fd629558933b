/**
 * Provides the building blocks of networks: what a block declares, how its parameters begin, and
 * what it computes. Users write their own {@link dev.medley.tensor.layer.Layer}.
 *
 * <p>May use: base, tensor's own root. Never: LibTorch's bindings, models, optimizers.
 *
 * <p>Thread: a layer is built on one thread; its forward in evaluation may run on several.
 */
@NullMarked
package dev.medley.tensor.layer;

import org.jspecify.annotations.NullMarked;
