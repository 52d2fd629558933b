/**
 * Runs many jobs on a fleet: keeps the fleet's state on disk, has agents serve jobs, and answers
 * over HTTP. What it does is decided by the module fleet; it only acts.
 *
 * <p>May use: fleet, api, control, record, profile, store, net, base. Never: training, tensor.
 *
 * <p>Thread: see each package.
 */
@NullMarked
package dev.medley.hub;

import org.jspecify.annotations.NullMarked;
