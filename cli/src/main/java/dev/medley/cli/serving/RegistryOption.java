package dev.medley.cli.serving;

import dev.medley.api.run.RunOptions;
import dev.medley.base.time.Clock;
import dev.medley.serving.registry.Registry;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Holds the option of commands that use a registry: its folder or store. */
final class RegistryOption {
    @Option(
            names = "--registry",
            paramLabel = "PLACE",
            description =
                    "The registry: a folder, or s3://BUCKET/FOLDER (default: ${DEFAULT-VALUE}).")
    private String place = "models";

    Registry registry() {
        Path cache = RunOptions.defaultCache().resolve("models");
        return Registry.at(place, cache, System::getenv, Clock.system());
    }

    /** Who does something: the user of this machine. */
    static String user() {
        return System.getProperty("user.name", "unknown");
    }
}
