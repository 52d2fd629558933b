/**
 * The front door: trains a job and hands back a model.
 *
 * <p>May use: control, training, store, tensor, profile. Never: the command line.
 *
 * <p>Thread: a builder belongs to its caller; what it builds says for itself.
 */
@NullMarked
package dev.medley.api;

import org.jspecify.annotations.NullMarked;
