/**
 * Words the outcome of an evaluation: figures, sections of them with their tables and charts, and
 * the threshold that decides between two classes.
 *
 * <p>May use: base, base.text. Never: models, pages, terminals.
 *
 * <p>Thread: any; everything here is a value.
 */
@NullMarked
package dev.medley.base.evaluation;

import org.jspecify.annotations.NullMarked;
