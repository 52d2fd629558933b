/**
 * Writes what was asked and answered into files, beside the way of requests.
 *
 * <p>May use: input, answer, batch, tensor. Never: a socket, the host of models.
 *
 * <p>Thread: anybody hands records over; one thread of the log's writes.
 */
@NullMarked
package dev.medley.serving.log;

import org.jspecify.annotations.NullMarked;
