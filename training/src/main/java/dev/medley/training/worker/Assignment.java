package dev.medley.training.worker;

import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobSpec;
import dev.medley.data.dataset.PreparedData;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The task of a worker; the same for all workers of a run.
 *
 * @param job resolved
 * @param data prepared
 * @param runFolder where checkpoints and the model go
 * @param initialWeights of a trained model to begin with; null to draw parameters
 * @param rescue where files that cannot be written there go instead; null for nowhere that the user
 *     named
 * @param versions of Medley, Java and LibTorch, for the model's provenance
 */
public record Assignment(
        JobSpec job,
        PreparedData data,
        String runFolder,
        @Nullable InitialWeights initialWeights,
        @Nullable String rescue,
        Map<String, String> versions) {
    public Assignment {
        versions = Map.copyOf(versions);
    }

    /** The same on a job whose strategy was chosen. */
    public Assignment with(JobSpec chosen) {
        return new Assignment(chosen, data, runFolder, initialWeights, rescue, versions);
    }

    /** The same where a worker runs that keeps its files elsewhere. */
    Assignment at(WorkerSettings place) {
        String own = place.runFolder();
        return new Assignment(
                job.at(place),
                data.at(place.path(data.folder())),
                own == null ? runFolder : own,
                initialWeights == null ? null : initialWeights.at(place),
                rescue,
                versions);
    }
}
