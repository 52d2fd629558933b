package dev.medley.cli.command;

import dev.medley.api.job.JobFile;
import dev.medley.base.job.JobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that change what a job file says. */
final class JobOptions {
    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = "Override a key of the job file; may be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Processes; short for -s cluster.workers=N.")
    private @Nullable Integer workers;

    boolean areGiven() {
        return workers != null || !overrides.isEmpty();
    }

    /** The job of this file under these options; the files that it names exist. */
    JobSpec read(Path file) {
        List<String> all = new ArrayList<>(overrides);
        if (workers != null) {
            all.add("cluster.workers=" + workers);
        }
        JobFile job = JobFile.read(file, all);
        job.requireFiles();
        return job.spec();
    }
}
