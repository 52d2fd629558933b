package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.view.EndedJobs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Holds the sizes of jobs that are done, in seconds on their best machine. A job's best rate is
 * computed once while rates stay as they are.
 */
final class DoneSizes {
    /** Of no job. */
    static final DoneSizes NONE = new DoneSizes();

    private final List<FleetJob> jobs;
    private final double[] bestRates;
    private final long changes;
    private final EndedJobs sizes;

    private DoneSizes() {
        jobs = List.of();
        bestRates = new double[0];
        changes = -1;
        sizes = EndedJobs.NONE;
    }

    private DoneSizes(FleetState state, DoneSizes before, ToDoubleFunction<FleetJob> bestRate) {
        changes = state.doneChanges();
        jobs = new ArrayList<>(state.doneJobs());
        bestRates = new double[jobs.size()];
        double[] seconds = new double[bestRates.length];
        List<String> kinds = new ArrayList<>(jobs.size());
        int known = 0;
        for (int i = 0; i < bestRates.length; i++) {
            FleetJob job = jobs.get(i);
            while (known < before.jobs.size()
                    && before.jobs.get(known) != job
                    && before.jobs.get(known).id() < job.id()) {
                known++;
            }
            boolean isKnown = known < before.jobs.size() && before.jobs.get(known) == job;
            double best = isKnown ? before.bestRates[known] : bestRate.applyAsDouble(job);
            bestRates[i] = best;
            if (best > 0) {
                seconds[kinds.size()] = job.measure().total() / best;
                kinds.add(job.request().kind());
            }
        }
        sizes = new EndedJobs(kinds, Arrays.copyOf(seconds, kinds.size()));
    }

    /** The same for the state as it is now; rates must be as they were. */
    DoneSizes now(FleetState state, ToDoubleFunction<FleetJob> bestRate) {
        return changes == state.doneChanges() ? this : new DoneSizes(state, this, bestRate);
    }

    EndedJobs sizes() {
        return sizes;
    }
}
