package dev.medley.fleet.simulation;

import dev.medley.base.ConfigException;
import dev.medley.fleet.trace.TraceJob;
import dev.medley.fleet.view.MachineType;
import java.util.List;

/** Checks that a fleet can do a workload, before it is played. */
final class TraceCheck {
    private TraceCheck() {}

    static void require(List<MachineType> types, List<TraceJob> trace, SimulationOptions options) {
        ConfigException.check(
                trace.stream().anyMatch(job -> options.counts(job.id())),
                "jobs %d to %d are to be measured, and the trace has none of them",
                options.fromJob(),
                options.toJob() - 1);
        double lastS = 0;
        for (TraceJob job : trace) {
            ConfigException.check(
                    job.arrivalS() >= lastS,
                    "job %d arrives at %s s, before the job ahead of it, at %s s; sort the trace",
                    job.id(),
                    job.arrivalS(),
                    lastS);
            lastS = job.arrivalS();
            ConfigException.check(
                    fits(types, job),
                    "job %d (%s) needs %d machines of one type at a rate above 0, and the fleet has"
                            + " %s; leave it out or give more machines",
                    job.id(),
                    job.kind(),
                    job.workers(),
                    types);
        }
    }

    private static boolean fits(List<MachineType> types, TraceJob job) {
        for (int type = 0; type < types.size(); type++) {
            if (types.get(type).machines() >= job.workers() && job.rates()[type] > 0) {
                return true;
            }
        }
        return false;
    }
}
