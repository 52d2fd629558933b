package dev.medley.cli.option;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.JobYaml;
import dev.medley.api.job.Settings;
import dev.medley.api.run.DataJob;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.data.shard.PreparationProgress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options that go with data in place of a job file. */
public final class DataOptions {
    @Option(
            names = "--label",
            paramLabel = "COLUMN",
            description = "With a table in place of a job file: the column to predict.")
    private @Nullable String label;

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description =
                    "With data in place of a job file: a family (medley models) or a class of"
                            + " yours. Without it mlp for tables, cnn for images, transformer for"
                            + " text.")
    private @Nullable String model;

    /** Whether any was given. */
    public boolean areGiven() {
        return label != null || model != null;
    }

    /** Whether {@code file} is data: by its name, or since one of these goes with it. */
    public boolean areMeant(String file) {
        boolean isYaml = file.matches("(?i).*\\.ya?ml");
        if (areGiven() && isYaml) {
            throw new ConfigException(
                    "--label and --model go with data in place of a job file; %s has its own:"
                                    .formatted(file)
                            + " change them by -s data.label=COLUMN and -s model=MODEL");
        }
        return !isYaml && (areGiven() || DataJob.isData(file));
    }

    /** The job that learns from {@code data}. */
    JobFile job(String data, Settings settings, PreparationProgress progress) {
        return DataJob.of(data, label, model, settings, progress);
    }

    /** The job as a job file, with a line that says what it is for. */
    public static List<String> said(JobSpec job) {
        return List.of(
                "# The job. Saved to a file, it trains the same: medley train FILE.yaml",
                JobYaml.brief(job).stripTrailing());
    }
}
