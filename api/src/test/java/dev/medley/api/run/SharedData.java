package dev.medley.api.run;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Real data beside the checkout; a test that needs it is skipped where it is absent. */
final class SharedData {
    private SharedData() {}

    /** The folder of this checkout. */
    static Path checkout() {
        return Path.of(System.getProperty("medley.root", "..")).toAbsolutePath();
    }

    /** A file or folder of the shared data. */
    static Path of(String name) {
        Path folder =
                Optional.ofNullable(System.getenv("MEDLEY_SHARED"))
                        .map(Path::of)
                        .orElse(checkout().resolve("../shared"));
        Path file = folder.resolve("data").resolve(name).normalize();
        assumeTrue(
                Files.exists(file),
                () -> file + " is absent: set MEDLEY_SHARED to the folder of shared data");
        return file;
    }

    /** The same, unpacked to {@code target}. */
    static Path unpacked(String name, Path target) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(of(name)))) {
            Files.copy(in, target);
        }
        return target;
    }
}
