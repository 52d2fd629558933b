/**
 * The commands that play fleets on virtual time: policies on traces, spot machines, what is learnt.
 *
 * <p>May use: the fleet, api's YAML and what the terminal needs. Never: a hub.
 *
 * <p>Thread: the command's.
 */
@NullMarked
package dev.medley.cli.fleet.study;

import org.jspecify.annotations.NullMarked;
