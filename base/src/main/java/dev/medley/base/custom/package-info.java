/**
 * Names classes of the user's own, such as a model, a loss or a metric, and makes them.
 *
 * <p>May use: base. Never: files; where classes are found is the caller's thread to say.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.base.custom;

import org.jspecify.annotations.NullMarked;
