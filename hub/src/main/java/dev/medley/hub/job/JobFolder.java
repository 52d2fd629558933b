package dev.medley.hub.job;

import dev.medley.base.Json;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds where a job's files lie. All are written whole or not at all. */
public record JobFolder(Path path) {
    private static final Logger LOG = LoggerFactory.getLogger(JobFolder.class);

    /** What its process has to do. */
    public record Launch(
            long job,
            int attempt,
            String jobFile,
            String address,
            int expect,
            @Nullable String resume,
            @Nullable String credentials) {}

    /** Which process does it. */
    public record Trainer(int attempt, long pid, long startedMillis) {}

    /**
     * How far it is.
     *
     * @param total samples of the whole job; NaN where unknown
     * @param perSecond samples a second since the last figures; 0 where nothing was done
     * @param machines that did it
     * @param peakBytes most memory that a worker took
     * @param firstStepEpochS of this attempt; NaN before
     */
    public record Figures(
            int attempt,
            String runFolder,
            double total,
            double done,
            double perSecond,
            double loss,
            List<String> machines,
            long peakBytes,
            double firstStepEpochS) {}

    /**
     * How it ended.
     *
     * @param outcome DONE, STOPPED, REFUSED or BROKEN
     */
    public record End(int attempt, String outcome, String sentence) {}

    /** The folder, made if it is not there. */
    public static JobFolder make(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new JobFolder(path);
    }

    Path jobFile() {
        return path.resolve("job.yaml");
    }

    Path runs() {
        return path.resolve("runs");
    }

    Path lock() {
        return path.resolve("process.lock");
    }

    /** All that its processes print. */
    public Path log() {
        return path.resolve("log.txt");
    }

    /** What its process has to do; empty before the first. */
    public Optional<Launch> launch() {
        return read("launch.json", Launch.class);
    }

    Optional<Trainer> trainer() {
        return read("process.json", Trainer.class);
    }

    Optional<Figures> figures() {
        return read("figures.json", Figures.class);
    }

    Optional<End> end() {
        return read("end.json", End.class);
    }

    void write(Object value) {
        String name =
                value instanceof Launch
                        ? "launch.json"
                        : value instanceof Trainer
                                ? "process.json"
                                : value instanceof End ? "end.json" : "figures.json";
        try {
            AtomicFile.write(
                    path.resolve(name), Json.pretty(value).getBytes(StandardCharsets.UTF_8));
        } catch (WriteFailure e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What cannot be read counts as not there: the next attempt writes it anew. */
    private <T> Optional<T> read(String name, Class<T> type) {
        try {
            return Optional.ofNullable(Json.read(path.resolve(name), type));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} cannot be read, and is passed over", path.resolve(name), e);
            return Optional.empty();
        }
    }
}
