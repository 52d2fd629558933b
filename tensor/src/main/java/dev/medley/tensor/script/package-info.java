/**
 * Trains networks that Python wrote as TorchScript: reads their files with care, and runs them as
 * networks of ours.
 *
 * <p>May use: base, tensor's own root, layers. Never: LibTorch's bindings, models of other
 * families.
 *
 * <p>Thread: that of the model.
 */
@NullMarked
package dev.medley.tensor.script;

import org.jspecify.annotations.NullMarked;
