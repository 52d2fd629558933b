/**
 * How raw data becomes the numbers that a model was trained on: fitted on the training split, part
 * of the trained model, and used again for every prediction.
 *
 * <p>May use: base. Never: files, DuckDB, LibTorch.
 *
 * <p>Thread: immutable values.
 */
@NullMarked
package dev.medley.store.encoding;

import org.jspecify.annotations.NullMarked;
