package dev.medley.fleet.view;

import java.util.List;

/**
 * Shows a fleet at one moment to a policy.
 *
 * @param nowS seconds on the fleet's clock
 * @param roundS seconds until the policy is asked again at the latest
 * @param types in the order in which all arrays by type are
 * @param jobs that wait or run, by id
 */
public record FleetView(double nowS, double roundS, List<MachineType> types, List<JobView> jobs) {
    public FleetView {
        types = List.copyOf(types);
        jobs = List.copyOf(jobs);
    }
}
