package dev.medley.api.run;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

    /** That part of the samples of a folder of packed IDX files, from the first on. */
    static Path someOf(String name, Path target, int part) throws IOException {
        Files.createDirectories(target);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(of(name), "*.gz")) {
            for (Path file : files) {
                try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                    ByteBuffer all = ByteBuffer.wrap(in.readAllBytes());
                    int dimensions = all.get(3);
                    int header = 4 + 4 * dimensions;
                    int count = all.getInt(4);
                    int sampleBytes = (all.capacity() - header) / count;
                    all.putInt(4, count / part);
                    byte[] some = Arrays.copyOf(all.array(), header + count / part * sampleBytes);
                    String plain = file.getFileName().toString().replaceFirst("\\.gz$", "");
                    Files.write(target.resolve(plain), some);
                }
            }
        }
        return target;
    }

    /** The same, unpacked to {@code target}. */
    static Path unpacked(String name, Path target) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(of(name)))) {
            Files.copy(in, target);
        }
        return target;
    }
}
