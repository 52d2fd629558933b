package dev.medley.serving.online;

import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.input.RowTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the file of rows by key that belongs to a model of a registry, and reads it anew when its
 * loop has written it.
 *
 * <p>Cost: all rows of a file are held in memory, and a request looks whether the file is another.
 *
 * <p>Thread: any.
 */
public final class OnlineFiles {
    /** The column of a row that asks by key alone. */
    public static final String KEY = "key";

    private static final String NAME = "online.jsonl";
    private static final int ABOVE = 3; // NAME/versions/N/model

    /** A file as it was read. */
    private record Read(long bytes, long atMs, @Nullable Object file, OnlineRows rows) {
        boolean isStill(BasicFileAttributes now) {
            return bytes == now.size()
                    && atMs == now.lastModifiedTime().toMillis()
                    && Objects.equals(file, now.fileKey());
        }
    }

    private final Map<Path, Read> read = new ConcurrentHashMap<>();

    /** Where rows by key of a model are, given the folder of one of its versions in a registry. */
    public static Path beside(Path model) {
        Path folder = model.toAbsolutePath().normalize();
        for (int i = 0; i < ABOVE && folder.getParent() != null; i++) {
            folder = folder.getParent();
        }
        return folder.resolve(NAME);
    }

    /** Whether a loop has written rows by key for a model. */
    public boolean areFor(Path model) {
        return Files.isRegularFile(beside(model));
    }

    /**
     * Finds rows, where the table asks by key alone; empty where it does not, or there is no file.
     *
     * @param model its folder
     * @param asked what the caller sent
     * @param order names of what the model reads
     * @throws ServingFailure if the file cannot be read, or does not fit the model
     */
    public Optional<OnlineRows.Found> find(Path model, RowTable asked, List<String> order) {
        if (!asked.columns().equals(List.of(KEY)) || order.contains(KEY)) {
            return Optional.empty();
        }
        Path file = beside(model);
        try {
            return Optional.of(rows(file).find(asked, order));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new ServingFailure(
                    Kind.CONFLICT, "rows by key cannot be read: %s".formatted(e.getMessage()));
        }
    }

    private OnlineRows rows(Path file) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        Read before = read.get(file);
        if (before != null && before.isStill(now)) {
            return before.rows();
        }
        OnlineRows rows = OnlineRows.read(file);
        read.put(
                file, new Read(now.size(), now.lastModifiedTime().toMillis(), now.fileKey(), rows));
        return rows;
    }
}
