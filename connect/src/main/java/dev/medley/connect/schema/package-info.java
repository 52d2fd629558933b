/**
 * Decides what becomes of a table's columns when its source has changed them, by a contract: take
 * the change, refuse it, or leave rows or values out that do not fit.
 *
 * <p>May use: base, connect.table. Never: files, sources.
 *
 * <p>Thread: any; a filter belongs to one.
 */
@NullMarked
package dev.medley.connect.schema;

import org.jspecify.annotations.NullMarked;
