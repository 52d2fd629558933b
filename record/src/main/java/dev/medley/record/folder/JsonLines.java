package dev.medley.record.folder;

import dev.medley.base.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;

/**
 * The lines of a file, read back as values.
 *
 * @param values in order of the file
 * @param unreadable whole lines that are not what they should be; a cut last line is no such line,
 *     since every running or killed run may have one
 */
record JsonLines<T>(List<T> values, int unreadable) {
    /** The values of a file; none if there is no such file. */
    static <T> JsonLines<T> read(Path file, Class<T> type) throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return new JsonLines<>(List.of(), 0);
        }
        List<T> values = new ArrayList<>();
        int unreadable = 0;
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '\n') {
                continue;
            }
            try {
                values.add(
                        Json.parse(
                                new String(bytes, start, i - start, StandardCharsets.UTF_8), type));
            } catch (JacksonException | IllegalArgumentException e) {
                unreadable++;
            }
            start = i + 1;
        }
        return new JsonLines<>(values, unreadable);
    }
}
