package dev.medley.connect.files;

import dev.medley.base.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Remembers all files of a table as they were read, by name. */
record FilesPosition(List<FileStamp> files) {
    FilesPosition {
        files = List.copyOf(files);
    }

    static Optional<FilesPosition> of(@Nullable JsonNode json) {
        try {
            return json == null
                    ? Optional.empty()
                    : Optional.of(Json.bindWhole(json, FilesPosition.class));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    Optional<FileStamp> file(String name) {
        return files.stream().filter(f -> f.name().equals(name)).findFirst();
    }
}
