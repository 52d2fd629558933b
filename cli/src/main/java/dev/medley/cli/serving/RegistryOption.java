package dev.medley.cli.serving;

import dev.medley.base.time.Clock;
import dev.medley.serving.registry.Registry;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Holds the option of commands that use a registry: its folder. */
final class RegistryOption {
    @Option(
            names = "--registry",
            paramLabel = "DIR",
            description = "The folder of the registry (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("models");

    Registry registry() {
        return new Registry(folder, Clock.system());
    }

    /** Who does something: the user of this machine. */
    static String user() {
        return System.getProperty("user.name", "unknown");
    }
}
