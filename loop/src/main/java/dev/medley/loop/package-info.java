/**
 * Leads rows from their sources through features, training, checks and scoring back, again and
 * again: each stage is recorded, can go on where it was cut off, and says why it decided so.
 *
 * <p>May use: connect, serving's registry, api, inference, record, data, store, base. Never:
 * control, sockets.
 *
 * <p>Thread: one a loop.
 */
@NullMarked
package dev.medley.loop;

import org.jspecify.annotations.NullMarked;
