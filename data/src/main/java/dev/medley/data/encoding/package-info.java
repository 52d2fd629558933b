/**
 * Describes how raw data becomes the numbers that a model was trained on. An encoding is fitted on
 * the training split, is part of the trained model, and is used again for every prediction.
 *
 * <p>May use: base, data.token. Never: files, DuckDB, LibTorch.
 *
 * <p>Thread: immutable values.
 */
@NullMarked
package dev.medley.data.encoding;

import org.jspecify.annotations.NullMarked;
