package dev.medley.profile;

import dev.medley.base.Sha256;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of the user in which runs keep small things for later ones. It has a file for each group
 * and key, replaced as a whole, so that runs which end at once do not disturb each other. Nothing
 * depends on it: what cannot be read or written is told to the log and counts as none. Of more than
 * {@value #MOST_FILES} files the oldest go. To clear it, delete the folder.
 *
 * <p>Thread: any.
 *
 * @param folder need not be there
 * @param what is kept there, in words, for the log
 */
public record KeptFolder(Path folder, String what) {
    private static final Logger LOG = LoggerFactory.getLogger(KeptFolder.class);
    private static final int MOST_FILES = 256;
    private static final int HASH_DIGITS = 16;

    /** Makes a value of a file. */
    @FunctionalInterface
    public interface Reader<T> {
        /**
         * The value; null if the file does not say what is looked for.
         *
         * @throws RuntimeException if it cannot be read
         */
        @Nullable T read(byte[] file);
    }

    /** What is kept under a key of a group; null for nothing. */
    public <T> @Nullable T find(String group, String key, Reader<T> reader) {
        return read(file(group, key), reader);
    }

    /** All that is kept of a group, in no order. */
    public <T> List<T> all(String group, Reader<T> reader) {
        List<T> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, hash(group) + "-*")) {
            for (Path file : files) {
                T value = read(file, reader);
                if (value != null) {
                    found.add(value);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("{} cannot be read from {}: {}", what, folder, e.toString());
        }
        return found;
    }

    private <T> @Nullable T read(Path file, Reader<T> reader) {
        try {
            return reader.read(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException | RuntimeException e) {
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            LOG.warn("{} is ignored, as {} cannot be read from it: {}", file, what, why);
            return null;
        }
    }

    /** Keeps a text under a key of a group, in place of what was there. */
    public void keep(String group, String key, String text) {
        try {
            Files.createDirectories(folder);
            Path whole = Files.createTempFile(folder, "new-", ".tmp");
            Files.writeString(whole, text);
            Files.move(
                    whole,
                    file(group, key),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            dropOldest();
        } catch (IOException e) {
            LOG.warn("{} of this run are not kept in {}: {}", what, folder, e.toString());
        }
    }

    private void dropOldest() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.sorted(Comparator.comparing(KeptFolder::changedMillis)).toList();
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

    private Path file(String group, String key) {
        return folder.resolve(hash(group) + "-" + hash(key) + ".json");
    }

    private static String hash(String key) {
        return Sha256.hex(key).substring(0, HASH_DIGITS);
    }
}
