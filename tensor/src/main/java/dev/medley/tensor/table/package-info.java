/**
 * Provides what networks of tables consist of: numbers and categories that become rows, and layers
 * that several networks share.
 *
 * <p>May use: base, tensor's own root, its layers. Never: LibTorch's bindings, whole models.
 *
 * <p>Thread: as layers.
 */
@NullMarked
package dev.medley.tensor.table;

import org.jspecify.annotations.NullMarked;
