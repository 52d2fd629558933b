package dev.medley.hub;

import dev.medley.base.job.StoreUrl;
import dev.medley.fleet.state.JobData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds how large a job's data are where the hub's machine sees them. */
final class DataSize {
    private DataSize() {}

    /** Of files and folders; unknown where one lies in a store, or cannot be looked at. */
    static JobData of(List<String> paths) {
        long bytes = 0;
        for (String path : paths) {
            if (StoreUrl.isUrl(path)) {
                return JobData.UNKNOWN;
            }
            try (Stream<Path> files = Files.walk(Path.of(path).toRealPath())) {
                bytes += files.filter(Files::isRegularFile).mapToLong(DataSize::size).sum();
            } catch (IOException | UncheckedIOException e) {
                return JobData.UNKNOWN;
            }
        }
        return new JobData(bytes);
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
