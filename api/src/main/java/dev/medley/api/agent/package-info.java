/**
 * Offers this machine to runs of other machines: what it is, what it keeps, whom it serves.
 *
 * <p>May use: control, profile. Never: training.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.api.agent;

import org.jspecify.annotations.NullMarked;
