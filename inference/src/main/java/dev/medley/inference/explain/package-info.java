/**
 * Explains single predictions: what each column adds to the output of a row, beside what the model
 * says of rows in general.
 *
 * <p>May use: base, store, data, tensor, trees, the loaded model. Never: a socket, a clock.
 *
 * <p>Thread: the caller's; explainers have no state that changes and may be used by several.
 */
@org.jspecify.annotations.NullMarked
package dev.medley.inference.explain;
