package dev.medley.profile.speed;

import dev.medley.base.Clock;
import dev.medley.base.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Step times of earlier runs, kept in a folder of the user: a small file for each type of machine
 * and kind of training, replaced as a whole, so that runs which end at once do not disturb each
 * other. Nothing depends on it: a file that cannot be read, or is of another version, counts as
 * none, and so does one older than {@value #DAYS} days. Of more than {@value #MOST_FILES} the
 * oldest go. To clear it, delete the folder.
 *
 * <p>Thread: any.
 */
public final class StepTimeCache {
    private static final Logger LOG = LoggerFactory.getLogger(StepTimeCache.class);

    private static final int FORMAT = 1;
    private static final int DAYS = 30;
    private static final int MOST_FILES = 256;

    private final Path folder;
    private final Clock clock;

    /**
     * A file.
     *
     * @param format of this file
     * @param machine type of machine
     * @param training what was trained, in the words of whoever kept it
     */
    record Kept(int format, String machine, String training, StepTimeGuess guess) {
        Kept {
            Objects.requireNonNull(machine);
            Objects.requireNonNull(training);
            Objects.requireNonNull(guess);
        }
    }

    /** Kept in {@code folder}, which need not be there. */
    public StepTimeCache(Path folder, Clock clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** What is known of such machines and such a training; null for nothing. */
    public @Nullable StepTimeGuess find(String machine, String training) {
        Path file = file(machine, training);
        try {
            Kept kept = Json.parse(Files.readAllBytes(file), Kept.class);
            boolean isMeant =
                    kept.format() == FORMAT
                            && kept.machine().equals(machine)
                            && kept.training().equals(training);
            long ageMillis = clock.wallMillis() - kept.guess().wallMillis();
            return isMeant && ageMillis <= TimeUnit.DAYS.toMillis(DAYS) ? kept.guess() : null;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException | JacksonException e) {
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            LOG.warn("{} is ignored, as step times cannot be read from it: {}", file, why);
            return null;
        }
    }

    /** Keeps what was learnt, if it can be written; else the log says why. */
    public void keep(String machine, String training, StepTimeGuess guess) {
        Path file = file(machine, training);
        try {
            Files.createDirectories(folder);
            Path whole = Files.createTempFile(folder, "new-", ".tmp");
            Files.writeString(whole, Json.pretty(new Kept(FORMAT, machine, training, guess)));
            Files.move(
                    whole,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            dropOldest();
        } catch (IOException e) {
            LOG.warn("step times of this run are not kept in {}: {}", folder, e.toString());
        }
    }

    private void dropOldest() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.sorted(Comparator.comparing(StepTimeCache::changedMillis)).toList();
        }
        for (Path file : files.subList(0, Math.max(0, files.size() - MOST_FILES))) {
            Files.deleteIfExists(file);
        }
    }

    private static long changedMillis(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            return 0; // Another run has dropped it.
        }
    }

    private Path file(String machine, String training) {
        try {
            byte[] key = (machine + "\n" + training).getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key);
            return folder.resolve(HexFormat.of().formatHex(digest, 0, 16) + ".json");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
