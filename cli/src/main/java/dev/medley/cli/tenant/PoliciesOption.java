package dev.medley.cli.tenant;

import dev.medley.base.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Holds the file of policies and the log of requests that belongs to it. */
final class PoliciesOption {
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Parameters(index = "0", paramLabel = "POLICIES", description = "The file of policies.")
    private Path file;

    @Option(
            names = "--audit",
            paramLabel = "FILE",
            description = {
                "The log of requests; one process writes it at a time (default: beside the",
                "policies, their name with .audit.jsonl)."
            })
    private @Nullable Path audit;

    /** The file, which is there. */
    Path file() {
        ConfigException.check(Files.exists(file), "%s: there is no such file of policies", file);
        return file;
    }

    /** Where requests are recorded. */
    Path audit() {
        return audit == null
                ? file.resolveSibling(
                        file.getFileName().toString().replaceFirst("\\.ya?ml$", "")
                                + ".audit.jsonl")
                : audit;
    }
}
