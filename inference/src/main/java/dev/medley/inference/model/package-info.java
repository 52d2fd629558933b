/**
 * Loads a trained model with its encoding and the user's classes, and computes with it.
 *
 * <p>May use: base, tensor, data, store, inference.metric. Never: control, training, sockets.
 *
 * <p>Thread: a loaded model may be used from several threads at once.
 */
@NullMarked
package dev.medley.inference.model;

import org.jspecify.annotations.NullMarked;
