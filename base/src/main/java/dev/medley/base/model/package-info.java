/**
 * Holds options that several families of models have in common.
 *
 * <p>May use: base's errors. Never: other modules, input, output, threads.
 *
 * <p>Thread: immutable values, for any.
 */
@NullMarked
package dev.medley.base.model;

import org.jspecify.annotations.NullMarked;
