package dev.medley.cli.command;

import dev.medley.base.ConfigException;
import dev.medley.profile.record.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the model that a user means: a model folder, or a run. */
final class ModelOfRun {
    private ModelOfRun() {}

    static Path find(Path runs, String name) {
        Path named = Path.of(name);
        if (Files.exists(named.resolve("model.json"))) {
            return named;
        }
        boolean isOtherFolder =
                Files.isDirectory(named) && !Files.exists(new RunFolder(named).identity());
        if (isOtherFolder) {
            return named; // Its reader says what is missing.
        }
        RunFolder run = RunFolder.find(runs, name);
        if (!Files.isDirectory(run.model())) {
            throw new ConfigException(
                    run.path() + " has no model yet: let the run end, or resume it");
        }
        return run.model();
    }
}
