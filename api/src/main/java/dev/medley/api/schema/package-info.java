/**
 * Checks a job file against its schema, and words what is wrong as a person would.
 *
 * <p>May use: base, api.yaml, the schema library (nobody else may). Never: what a job means.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.api.schema;

import org.jspecify.annotations.NullMarked;
