package dev.medley.loop.spec;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.Section;
import dev.medley.api.job.Settings;
import dev.medley.base.ConfigException;
import dev.medley.inference.running.RunningJobs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads what a file says of learning between runs, and refuses what contradicts the rest. */
final class ContinuousReader {
    private static final String NAME = "continuous";

    private ContinuousReader() {}

    /**
     * What {@code root} says; null where it says nothing, or where what is wrong is complained of.
     *
     * @param job file of the loop
     */
    static @Nullable ContinuousSpec read(Section root, Path job) {
        if (!root.has(NAME)) {
            return null;
        }
        Section given = root.section(NAME);
        String label = root.section("rows").textOrNull("label");
        if (label == null) {
            root.complain(
                    NAME, "continuous: learns from labels, and rows has none: add rows.label");
        } else {
            requireJob(root, job, label);
        }
        try {
            ContinuousSpec spec =
                    new ContinuousSpec(
                            Duration.ofNanos(given.duration("delay", 0)),
                            Duration.ofNanos(given.duration("publish", 0)),
                            given.has("rows") ? given.integer("rows", 0) : null);
            requireEvery(root, spec);
            return spec;
        } catch (ConfigException e) {
            root.complain(NAME, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static void requireEvery(Section root, ContinuousSpec spec) {
        ConfigException.check(
                root.has("every"),
                "continuous: learns between the runs of a loop that stays, and nothing says how"
                        + " often it runs: add every:, as every: 24h");
        Duration every = Duration.ofNanos(root.duration("every", 0));
        ConfigException.check(
                spec.publish().compareTo(every) < 0,
                "continuous.publish: %s is not shorter than every, %s: nothing would be published"
                        + " between two runs",
                ContinuousSpec.words(spec.publish()),
                ContinuousSpec.words(every));
    }

    /** The job has to be of a model that can go on learning. */
    private static void requireJob(Section root, Path job, String label) {
        if (!Files.isRegularFile(job)) {
            return; // That is said of the job.
        }
        try {
            Settings settings =
                    Settings.NONE
                            .with("data.train", "rows.parquet", "the loop's rows")
                            .with("data.label", label, "the loop's label");
            RunningJobs.require(JobFile.read(job, settings).spec());
        } catch (ConfigException e) {
            root.complain("job", "continuous: " + e.getMessage());
        }
    }
}
