package dev.medley.profile.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Small files of the kernel. What is absent or unreadable is null or empty: not every kernel has
 * every file.
 *
 * @param root {@code /}, or a folder that looks like it
 */
public record SystemFiles(Path root) {
    /** Those of this machine. */
    public static final SystemFiles REAL = new SystemFiles(Path.of("/"));

    /** The text of a file given by its absolute path, stripped. */
    @Nullable
    public String text(String path) {
        try {
            return new String(Files.readAllBytes(at(path)), StandardCharsets.ISO_8859_1).strip();
        } catch (IOException | SecurityException e) {
            return null;
        }
    }

    /** The text of a file, empty where there is none. */
    public String textOrEmpty(String path) {
        String text = text(path);
        return text == null ? "" : text;
    }

    /** What stands after a word and a colon in the first such line; empty where there is none. */
    public String textAfter(String path, String word) {
        for (String line : lines(path)) {
            String[] pair = line.split("\\s*:\\s*", 2);
            if (pair.length == 2 && pair[0].equals(word)) {
                return pair[1].strip();
            }
        }
        return "";
    }

    /** The lines of a file. */
    public List<String> lines(String path) {
        String text = text(path);
        return text == null ? List.of() : text.lines().toList();
    }

    /** The whole number that a file holds. */
    @Nullable Long number(String path) {
        String text = text(path);
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The number after a word at the beginning of a line: {@code oom_kill 3}. */
    @Nullable
    public Long numberAfter(String path, String word) {
        for (String line : lines(path)) {
            String[] parts = line.split("[\\s:]+", 3);
            if (parts.length >= 2 && parts[0].equals(word)) {
                try {
                    return Long.valueOf(parts[1]);
                } catch (NumberFormatException e) {
                    return null;
                }
            }
        }
        return null;
    }

    /** What lies in a folder, by its names in their order. */
    List<String> names(String folder) {
        try (Stream<Path> all = Files.list(at(folder))) {
            return all.map(path -> String.valueOf(path.getFileName())).sorted().toList();
        } catch (IOException | UncheckedIOException | SecurityException e) {
            return List.of();
        }
    }

    /** Whether there is a file of that path. */
    public boolean exist(String path) {
        return Files.exists(at(path));
    }

    private Path at(String path) {
        return root.resolve(path.substring(1));
    }
}
