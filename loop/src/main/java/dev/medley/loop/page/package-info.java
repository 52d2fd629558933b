/**
 * Shows a loop to people: its flow, its last runs, what was decided and what waits for what.
 *
 * <p>May use: base, the loop's state and what stages found, record's HTML. Never: the work of
 * stages.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.loop.page;

import org.jspecify.annotations.NullMarked;
