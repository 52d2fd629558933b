/**
 * Computes rows that belong together, series and sequences, as a prediction for a file that has
 * them.
 *
 * <p>May use: base, store, data, inference, serving.input. Never: Armeria, sockets.
 *
 * <p>Thread: blocking threads; it reads and writes temporary files.
 */
@NullMarked
package dev.medley.serving.rows;

import org.jspecify.annotations.NullMarked;
