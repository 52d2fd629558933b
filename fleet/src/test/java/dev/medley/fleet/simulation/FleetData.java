package dev.medley.fleet.simulation;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds workloads beside the checkout; a test that needs them is skipped where they are absent. */
public final class FleetData {
    private FleetData() {}

    /** A file of the shared data. */
    public static Path of(String name) {
        Path folder =
                Optional.ofNullable(System.getenv("MEDLEY_SHARED"))
                        .map(Path::of)
                        .orElse(
                                Path.of(System.getProperty("medley.root", ".."))
                                        .resolve("../shared"));
        Path file = folder.resolve("data").resolve(name).normalize();
        assumeTrue(
                Files.exists(file),
                () -> file + " is absent: set MEDLEY_SHARED to the folder of shared data");
        return file;
    }
}
