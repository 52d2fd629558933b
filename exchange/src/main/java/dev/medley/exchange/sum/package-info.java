/**
 * Defines what is summed and in which order, however bytes travel: slices, their cut into parts,
 * and the loops that add.
 *
 * <p>May use: base. Never: links, files.
 *
 * <p>Thread: values and pure functions.
 */
@NullMarked
package dev.medley.exchange.sum;

import org.jspecify.annotations.NullMarked;
