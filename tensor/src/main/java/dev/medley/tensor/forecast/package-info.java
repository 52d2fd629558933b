/**
 * Forecasts series: normalises windows by themselves, and predicts what comes after them.
 *
 * <p>May use: base, tensor. Never: files, the layout of parameters.
 *
 * <p>Thread: that of the model.
 */
@NullMarked
package dev.medley.tensor.forecast;

import org.jspecify.annotations.NullMarked;
