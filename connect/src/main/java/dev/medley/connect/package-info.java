/**
 * Brings rows of databases, customer systems and files into versioned snapshots, and takes answers
 * back to them. A sync that is cut off anywhere goes on where it was; nothing is lost or doubled.
 *
 * <p>May use: base, store, data's tables. Never: training, control, models.
 *
 * <p>Thread: one a sync.
 */
@NullMarked
package dev.medley.connect;

import org.jspecify.annotations.NullMarked;
