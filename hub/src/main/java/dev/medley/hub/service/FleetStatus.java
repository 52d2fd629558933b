package dev.medley.hub.service;

import java.util.List;

/**
 * Shows a whole fleet.
 *
 * @param policy that decides
 * @param cost of all jobs so far
 */
public record FleetStatus(
        String policy, List<MachineStatus> machines, double nowEpochS, double cost) {
    public FleetStatus {
        machines = List.copyOf(machines);
    }
}
