/**
 * The words everybody shares: who takes part, in which step, under which plan, and what went wrong.
 *
 * <p>May use: the JDK and Jackson (behind {@link dev.medley.base.Json}). Never: any other module.
 *
 * <p>Thread: values, safe everywhere.
 */
@NullMarked
package dev.medley.base;

import org.jspecify.annotations.NullMarked;
