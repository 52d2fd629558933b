/**
 * Trains models from jobs: a job in, a trained model out. {@link dev.medley.api.Trainer} is for
 * Java programs, {@code api.job} for job files, {@code api.run} for what lies behind both.
 *
 * <p>May use: control, training, store, tensor, profile. Never: sockets of its own.
 */
@NullMarked
package dev.medley.api;

import org.jspecify.annotations.NullMarked;
