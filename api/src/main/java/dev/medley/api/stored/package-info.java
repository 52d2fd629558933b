/**
 * Keeps runs in object stores besides their folders, and brings them back.
 *
 * <p>May use: base, record, store. Never: the packages that train.
 *
 * <p>Thread: a run is kept on a thread of its own.
 */
@NullMarked
package dev.medley.api.stored;

import org.jspecify.annotations.NullMarked;
