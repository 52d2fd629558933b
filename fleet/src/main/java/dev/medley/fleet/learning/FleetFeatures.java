package dev.medley.fleet.learning;

import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.Arrays;
import java.util.List;

/**
 * Describes the state of a queue and its fleet by twelve numbers of the size of 1. None depends on
 * how large the fleet is or what its types are called, and none on what only an oracle knows:
 * remaining work counts where it was declared, else the work that was done so far.
 */
public final class FleetFeatures {
    /** How many numbers describe a state. */
    public static final int COUNT = 12;

    private static final double HOUR_S = 3600;
    private static final double SLOW = 0.7;
    private static final double VERY_SLOW = 0.4;

    private FleetFeatures() {}

    /**
     * The numbers of a state, in this order: log of queued work in hours for each machine; log of
     * jobs for each machine; share of machines that are busy; shares of busy machines on which a
     * job has less than 0.7, and less than 0.4 of its best rate; log of the 0.1, 0.5 and 0.9
     * quantile of remaining hours; jobs that came in the last 2 and 20 hours for each machine; log
     * of the oldest waiting job's age in hours; share of jobs that wait.
     */
    public static double[] of(FleetView view) {
        List<JobView> jobs = view.jobs();
        double machines = Math.max(1, view.types().stream().mapToInt(MachineType::machines).sum());
        double[] hours = jobs.stream().mapToDouble(FleetFeatures::hours).sorted().toArray();
        double[] features = new double[COUNT];
        features[0] = Math.log1p(Arrays.stream(hours).sum() / machines);
        features[1] = Math.log1p(wanted(jobs) / machines);
        Usage usage = Usage.of(jobs);
        features[2] = usage.busy() / machines;
        features[3] = usage.slow() / Math.max(1, usage.busy());
        features[4] = usage.verySlow() / Math.max(1, usage.busy());
        features[5] = Math.log1p(quantile(hours, 0.1));
        features[6] = Math.log1p(quantile(hours, 0.5));
        features[7] = Math.log1p(quantile(hours, 0.9));
        features[8] = came(view, 2) / machines * 10;
        features[9] = came(view, 20) / machines;
        features[10] = Math.log1p(oldestWaitHours(view));
        features[11] = jobs.isEmpty() ? 0 : (double) usage.waiting() / jobs.size();
        return features;
    }

    private static double hours(JobView job) {
        double best = job.bestRate();
        double work =
                job.progress().sized() ? job.progress().remainingWork() : job.progress().doneWork();
        return best > 0 ? job.demand().minWorkers() * work / best / HOUR_S : 0;
    }

    private static double wanted(List<JobView> jobs) {
        return jobs.stream().mapToDouble(j -> j.demand().minWorkers()).sum();
    }

    private static double came(FleetView view, double hours) {
        double since = view.nowS() - hours * HOUR_S;
        return view.jobs().stream().filter(j -> j.progress().arrivalS() >= since).count();
    }

    private static double oldestWaitHours(FleetView view) {
        return view.jobs().stream()
                .filter(j -> !j.runs())
                .mapToDouble(j -> (view.nowS() - j.progress().arrivalS()) / HOUR_S)
                .max()
                .orElse(0);
    }

    private static double quantile(double[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) (share * (sorted.length - 1))];
    }

    /** Counts machines that jobs hold, and jobs that hold none. */
    private record Usage(double busy, double slow, double verySlow, int waiting) {
        static Usage of(List<JobView> jobs) {
            double busy = 0;
            double slow = 0;
            double verySlow = 0;
            int waiting = 0;
            for (JobView job : jobs) {
                double best = job.bestRate();
                int[] held = job.held();
                waiting += job.runs() ? 0 : 1;
                for (int type = 0; type < held.length; type++) {
                    busy += held[type];
                    slow += job.rates()[type] < SLOW * best ? held[type] : 0;
                    verySlow += job.rates()[type] < VERY_SLOW * best ? held[type] : 0;
                }
            }
            return new Usage(busy, slow, verySlow, waiting);
        }
    }
}
