package dev.medley.fleet.view;

import java.util.List;

/**
 * Shows a fleet at one moment to a policy.
 *
 * @param nowS seconds on the fleet's clock
 * @param roundS seconds until the policy is asked again at the latest
 * @param types in the order in which all arrays by type are
 * @param jobs that wait or run, by id
 * @param ended jobs of late
 * @param carried what the policy wanted to know again
 */
public record FleetView(
        double nowS,
        double roundS,
        List<MachineType> types,
        List<JobView> jobs,
        EndedJobs ended,
        Carried carried) {
    public FleetView {
        types = List.copyOf(types);
        jobs = List.copyOf(jobs);
    }

    /** A view in which nothing has ended yet, and nothing was carried. */
    public FleetView(double nowS, double roundS, List<MachineType> types, List<JobView> jobs) {
        this(nowS, roundS, types, jobs, EndedJobs.NONE, Carried.NONE);
    }

    /** Machines of all types. */
    public int machines() {
        return types.stream().mapToInt(MachineType::machines).sum();
    }
}
