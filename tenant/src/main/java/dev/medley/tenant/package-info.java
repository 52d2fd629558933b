/**
 * Gives each caller its own rows and columns of shared tables, and records every answer and
 * refusal.
 *
 * <p>May use: connect, serving's front door, api's reading of YAML, data, store, base. Never:
 * training, control, plan.
 */
@NullMarked
package dev.medley.tenant;

import org.jspecify.annotations.NullMarked;
