/**
 * Reads YAML with the place of each value, so that a complaint names file, line and column.
 *
 * <p>May use: base, the YAML library (nobody else may). Never: what a job means.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.api.yaml;

import org.jspecify.annotations.NullMarked;
