/**
 * Tells the time: one clock for all that waits or measures, which tests replace.
 *
 * <p>May use: the JDK. Never: threads, files.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.base.time;

import org.jspecify.annotations.NullMarked;
