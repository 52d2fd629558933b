/**
 * Holds what of a table's texts a model learns from.
 *
 * <p>May use: base's errors. Never: other modules, input, output, threads.
 *
 * <p>Thread: immutable values, for any.
 */
@NullMarked
package dev.medley.base.table;

import org.jspecify.annotations.NullMarked;
