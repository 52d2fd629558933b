/**
 * Holds factorisation machines: the rows that samples touch, predictions from them, and what moves
 * them.
 *
 * <p>May use: base, layers and tensors. Never: networks between processes, files.
 *
 * <p>Thread: the training thread; predictions on any while nothing learns.
 */
@NullMarked
package dev.medley.tensor.factor;

import org.jspecify.annotations.NullMarked;
