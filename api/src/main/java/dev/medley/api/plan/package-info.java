/**
 * Shows what a run would do before it runs: candidates, their forecasts, the cluster they are for.
 *
 * <p>May use: all that a run uses. Never: terminals.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.api.plan;

import org.jspecify.annotations.NullMarked;
