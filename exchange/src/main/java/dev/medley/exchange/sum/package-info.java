/**
 * What is summed and in which order, independent of how bytes travel: slices, the cut of a slice
 * into parts, and the loops that add.
 *
 * <p>May use: base. Never: links, files.
 *
 * <p>Thread: values and pure functions.
 */
@NullMarked
package dev.medley.exchange.sum;

import org.jspecify.annotations.NullMarked;
