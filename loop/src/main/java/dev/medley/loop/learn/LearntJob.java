package dev.medley.loop.learn;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.base.job.JobSpec;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Makes the job that learns from a loop's rows.
 *
 * @param file of the job, whose data is the loop's
 * @param label the column to learn; null where nothing is
 */
public record LearntJob(Path file, @Nullable String label) {
    /** The job on these rows. */
    public JobSpec on(Path rows) {
        Settings settings = Settings.NONE.with("data.train", rows.toString(), "the loop's rows");
        if (label != null) {
            settings = settings.with("data.label", label, "the loop's label");
        }
        return JobFile.read(file, settings).spec();
    }
}
