/**
 * The commands of a fleet: the hub, its jobs and its machines.
 *
 * <p>May use: the hub, the fleet, api and what the terminal needs. Never: the hub's core.
 *
 * <p>Thread: the command's.
 */
@NullMarked
package dev.medley.cli.fleet;

import org.jspecify.annotations.NullMarked;
