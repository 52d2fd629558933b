/**
 * Defines the values that all modules share: groups and members, steps, plans and faults.
 *
 * <p>May use: the JDK and Jackson (behind {@link dev.medley.base.Json}). Never: any other module.
 *
 * <p>Thread: values, safe everywhere.
 */
@NullMarked
package dev.medley.base;

import org.jspecify.annotations.NullMarked;
