package dev.medley.cli.kubernetes;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.base.job.JobSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the job file of a coordinator's pod, with what the operator knows better than the file. */
final class PodJobFile {
    /** A job waits for quota and nodes as long as it is there: it is deleted or suspended. */
    private static final String PATIENCE = "365d";

    private static final String JOIN_TIMEOUT = "cluster.join_timeout";
    private static final String OPERATOR = "the operator";

    private PodJobFile() {}

    /**
     * The job.
     *
     * @param expect a file with the number of workers to begin with
     * @param overrides of the job file, KEY=VALUE
     */
    static JobSpec read(
            Path file, Path expect, String listen, Path credentials, List<String> overrides) {
        Settings settings =
                Settings.of(overrides)
                        .with("cluster.listen", listen, OPERATOR)
                        .with("cluster.expect", expected(expect), OPERATOR)
                        .with("cluster.credentials", credentials.toString(), OPERATOR);
        JobFile read = JobFile.read(file, settings);
        return read.says(JOIN_TIMEOUT)
                ? read.spec()
                : JobFile.read(file, settings.with(JOIN_TIMEOUT, PATIENCE, OPERATOR)).spec();
    }

    private static long expected(Path file) {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
