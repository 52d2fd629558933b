/**
 * Words what people read: amounts with their units, tables in columns, and what a misspelt name
 * probably meant.
 *
 * <p>May use: base. Never: terminals.
 *
 * <p>Thread: any; values in, text out.
 */
@NullMarked
package dev.medley.base.text;

import org.jspecify.annotations.NullMarked;
