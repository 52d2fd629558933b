/**
 * Reads expressions over a row and its reader, checks their types, and writes them as SQL.
 *
 * <p>May use: base. Never: files, connections, a policy's meaning.
 *
 * <p>Thread: any; everything is a value.
 */
@NullMarked
package dev.medley.tenant.expression;

import org.jspecify.annotations.NullMarked;
