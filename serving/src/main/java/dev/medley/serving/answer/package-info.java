/**
 * Makes answers of a model's outputs: the prediction and the probability of each class, a number, a
 * cluster, a forecast.
 *
 * <p>May use: base, inference, serving.input, serving.tensor. Never: protocols, Armeria.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.serving.answer;

import org.jspecify.annotations.NullMarked;
