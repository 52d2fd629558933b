package dev.medley.kubernetes.operator;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.base.ConfigException;
import dev.medley.kubernetes.resource.MedleyJob;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a job's file before anything is started for it. */
final class JobFileCheck {
    private JobFileCheck() {}

    /**
     * Why the file cannot be used, as {@code medley train} says it, with line and column; empty if
     * it can. Whether its data is there is seen by the coordinator alone.
     */
    static Optional<String> refusal(MedleyJob job) {
        try {
            Settings joining =
                    Settings.of(job.getSpec().settings())
                            .with("cluster.listen", "127.0.0.1:7077", "the operator")
                            .with("cluster.expect", job.getSpec().least(), "the operator");
            JobFile unused =
                    JobFile.parse(job.name() + ".yaml", job.getSpec().job(), Path.of("/"), joining);
            return Optional.empty();
        } catch (ConfigException e) {
            return Optional.of("spec.job: " + e.getMessage());
        }
    }
}
