/**
 * Bounds what a caller takes: requests, rows, bytes, reads at the same time, and threads.
 *
 * <p>May use: audit, base. Never: clocks, files.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.tenant.quota;

import org.jspecify.annotations.NullMarked;
