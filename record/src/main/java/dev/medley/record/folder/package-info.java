/**
 * Keeps the record of a run in its folder, line by line while it goes on, and reads it again.
 *
 * <p>May use: base, profile, the entries. Never: reports.
 *
 * <p>Thread: a recorder has one writer; what is read is a value.
 */
@NullMarked
package dev.medley.record.folder;

import org.jspecify.annotations.NullMarked;
