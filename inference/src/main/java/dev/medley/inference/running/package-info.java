/**
 * Holds a trained model that goes on learning from rows as they come, a micro-batch at a time.
 *
 * <p>May use: base, tensor, data, store, inference.model. Never: control, training, sockets.
 *
 * <p>Thread: that of whoever holds the model.
 */
@NullMarked
package dev.medley.inference.running;

import org.jspecify.annotations.NullMarked;
