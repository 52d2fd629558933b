/**
 * Holds the arrays that callers send and get, in the types of the Open Inference Protocol.
 *
 * <p>May use: base, serving's failures. Never: models, protocols, Armeria.
 *
 * <p>Thread: values, which any thread may read.
 */
@NullMarked
package dev.medley.serving.tensor;

import org.jspecify.annotations.NullMarked;
