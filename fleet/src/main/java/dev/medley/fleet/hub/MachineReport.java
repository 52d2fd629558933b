package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetMachine.Seen;

/**
 * Holds what an agent says of its machine.
 *
 * @param leavingInS seconds until it is taken away; negative while nobody said so
 */
public record MachineReport(String name, String type, String site, Seen seen, double leavingInS) {}
