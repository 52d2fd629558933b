/**
 * Records every answer, refusal and failure in a chain of lines to which lines are only added.
 *
 * <p>May use: store.file, base. Never: values of rows.
 *
 * <p>Thread: a log may be written by any.
 */
@NullMarked
package dev.medley.tenant.audit;

import org.jspecify.annotations.NullMarked;
