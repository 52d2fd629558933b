package dev.medley.cli.option;

import dev.medley.base.ConfigException;
import dev.medley.record.folder.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the model that a user means: a model folder, or a run. */
public final class ModelOfRun {
    private ModelOfRun() {}

    /** The folder of the model that a name means: a folder, a run's folder, or a run's name. */
    public static Path find(Path runs, String name) {
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
