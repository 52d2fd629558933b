package dev.medley.connect.snapshot;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.NamedFile;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.SealedJson;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds its way in the folder of one table: {@code manifest.json}, which counts, and {@code
 * parts/}, of which only those count that it names. Everything that is put here is put whole under
 * a name, so an object store could take the folder's place.
 */
public record SnapshotFolder(Path path) {
    private static final String MANIFEST = "manifest.json";
    private static final String PARTS = "parts";
    private static final int LARGEST_BYTES = 256 << 20;

    /** What it has; empty before the first sync. Damage is a {@link ConfigException}. */
    public Optional<SnapshotManifest> manifest() throws IOException {
        Path file = path.resolve(MANIFEST);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Optional.of(manifest(path.toString(), NamedFile.bytes(file, LARGEST_BYTES)));
    }

    /**
     * Reads the bytes of a manifest. Damage is a {@link ConfigException}.
     *
     * @param folder where it is
     */
    public static SnapshotManifest manifest(String folder, byte[] json) {
        String file = folder + "/" + MANIFEST;
        if (!SealedJson.isWhole(json)) {
            throw damaged(folder, file, "its checksum does not match its bytes");
        }
        try {
            ObjectNode content = SealedJson.content(Json.parse(json, ObjectNode.class));
            int format = content.path("format").asInt(0);
            ConfigException.check(
                    format == SnapshotManifest.FORMAT,
                    "%s: has format %d, but this Medley reads format %d: use the one that wrote it",
                    file,
                    format,
                    SnapshotManifest.FORMAT);
            if (!content.has("retired")) {
                content.putArray("retired"); // Of a build that did not merge parts.
            }
            return Json.bindWhole(content, SnapshotManifest.class);
        } catch (JacksonException e) {
            throw damaged(folder, file, String.valueOf(e.getOriginalMessage()));
        }
    }

    /** What it has, which must be something. */
    public SnapshotManifest requireManifest() throws IOException {
        return manifest()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        path
                                                + ": no snapshot of a table is here: sync it first,"
                                                + " or name another folder"));
    }

    /** Refuses if a part of {@code manifest} is not there or has another length. */
    void requireParts(SnapshotManifest manifest) throws IOException {
        for (SnapshotVersion version : manifest.versions()) {
            for (SnapshotPart part : version.parts()) {
                Path file = path.resolve(part.file());
                if (!Files.exists(file) || Files.size(file) != part.bytes()) {
                    String found =
                            Files.exists(file)
                                    ? "has " + Files.size(file) + " bytes"
                                    : "is missing";
                    throw damaged(
                            file, found + ", but the manifest says " + part.bytes() + " bytes");
                }
            }
        }
    }

    /** The file below the folder that a version's part gets. */
    static String part(long version) {
        return PARTS + "/%08d.parquet".formatted(version);
    }

    /** The file that parts of several versions are merged into. */
    static String part(long first, long last) {
        return PARTS + "/%08d-%08d.parquet".formatted(first, last);
    }

    /** Makes {@code manifest} the one that counts. */
    void publish(SnapshotManifest manifest) throws WriteFailure {
        AtomicFile.write(
                path.resolve(MANIFEST),
                SealedJson.seal(Json.bind(Json.tree(manifest), ObjectNode.class)));
    }

    /** Removes parts that no version names: of syncs that were cut off. */
    void sweep(Optional<SnapshotManifest> manifest) throws IOException {
        AtomicFile.sweep(path);
        Files.createDirectories(path.resolve(PARTS));
        try (Stream<Path> parts = Files.list(path.resolve(PARTS))) {
            for (Path part : parts.toList()) {
                String name = PARTS + "/" + part.getFileName();
                if (manifest.isEmpty() || !manifest.get().hasPart(name)) {
                    Files.deleteIfExists(part);
                }
            }
        }
    }

    ConfigException damaged(Path file, String how) {
        return damaged(path.toString(), file.toString(), how);
    }

    private static ConfigException damaged(String folder, String file, String how) {
        return new ConfigException(
                "%s: %s: bring %s back from a copy, or remove it and sync all rows again"
                        .formatted(file, how, folder));
    }
}
