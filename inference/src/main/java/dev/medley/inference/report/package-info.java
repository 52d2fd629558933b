/**
 * Computes what a report says of a model besides its metrics: curves, calibration, residuals and
 * the importance of columns. All of it from blocks of samples, whoever computed which block.
 *
 * <p>May use: base, data's encodings, inference.metric. Never: sockets, exchange, files.
 *
 * <p>Thread: a part is a value; the importance of columns belongs to one thread.
 */
@NullMarked
package dev.medley.inference.report;

import org.jspecify.annotations.NullMarked;
