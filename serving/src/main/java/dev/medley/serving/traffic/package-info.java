/**
 * Deals requests out over versions of a model, and judges a version by what came of them.
 *
 * <p>May use: base, serving.registry. Never: models in memory, Armeria.
 *
 * <p>Thread: policies are pure; what counts says who may call.
 */
@NullMarked
package dev.medley.serving.traffic;

import org.jspecify.annotations.NullMarked;
