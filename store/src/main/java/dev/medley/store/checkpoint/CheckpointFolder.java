package dev.medley.store.checkpoint;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.NamedFile;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.file.Checksum;
import dev.medley.store.file.HashingChannel;
import dev.medley.store.file.MappedFile;
import dev.medley.store.file.Safetensors;
import dev.medley.store.file.SafetensorsWriter;
import dev.medley.store.file.SealedJson;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes, lists and reads checkpoints on the disk: {@code step-000000123/} with {@code
 * shard-0.safetensors} and, written last, {@code manifest.json}. Functions only; the caller's
 * thread does the work.
 */
final class CheckpointFolder {
    private static final int LARGEST_MANIFEST_BYTES = 256 << 20;
    static final String MANIFEST = "manifest.json";
    private static final String SHARD = "shard-0.safetensors";

    /** For the manifest and the folder itself, beside the shards. */
    private static final long SMALL_FILES_BYTES = 1 << 16;

    private static final Pattern NAME = Pattern.compile("step-(\\d{9,18})");

    private CheckpointFolder() {}

    /** Steps in a store's folder, the newest first; a folder that is not there holds none. */
    static List<Long> steps(Path store) throws IOException {
        try (Stream<Path> entries = Files.list(store)) {
            return entries.map(entry -> NAME.matcher(entry.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(name -> Long.valueOf(name.group(1)))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    static Path of(Path store, long step) {
        return store.resolve("step-%09d".formatted(step));
    }

    /** Writes all files, durable when it returns; returns their length. */
    static long write(Path store, CheckpointState state, long wallMillis) throws WriteFailure {
        SafetensorsWriter writer =
                new SafetensorsWriter(
                        Map.of("medley.step", Long.toString(state.step())), state.spans());
        Path target = of(store, state.step());
        long needed = writer.fileBytes() + SMALL_FILES_BYTES;
        AtomicFolder.write(
                target,
                needed,
                folder -> {
                    Manifest.Shard shard = writeShard(folder, writer);
                    Manifest manifest =
                            new Manifest(
                                    Manifest.FORMAT_VERSION,
                                    state.step(),
                                    state.epoch(),
                                    state.planVersion(),
                                    wallMillis,
                                    List.of(shard),
                                    state.extra());
                    AtomicFile.write(
                            folder.resolve(MANIFEST), SealedJson.seal(Json.tree(manifest)));
                });
        return writer.fileBytes();
    }

    private static Manifest.Shard writeShard(Path folder, SafetensorsWriter writer)
            throws IOException {
        Checksum checksum = Checksum.start(Checksum.Kind.XXH64);
        AtomicFile.write(
                folder.resolve(SHARD),
                writer.fileBytes(),
                channel -> writer.writeTo(new HashingChannel(channel, checksum)));
        return new Manifest.Shard(SHARD, writer.fileBytes(), checksum.hex());
    }

    /** Reads and verifies the checkpoint of a step: every byte of it is read once. */
    static FoundCheckpoint read(Path store, long step) {
        Path folder = of(store, step);
        try {
            Manifest manifest = manifest(folder);
            if (manifest.step() != step) {
                throw new ConfigException(MANIFEST + " is of step " + manifest.step());
            }
            List<NamedSpan> spans = new ArrayList<>();
            for (Manifest.Shard shard : manifest.shards()) {
                spans.addAll(verified(folder, shard).namedSpans());
            }
            return new Checkpoint(
                    folder,
                    step,
                    manifest.epoch(),
                    manifest.planVersion(),
                    manifest.wallMillis(),
                    spans,
                    manifest.extra());
        } catch (NoSuchFileException e) {
            return new BrokenCheckpoint(
                    folder, step, Path.of(e.getFile()).getFileName() + " is missing");
        } catch (IOException | ConfigException e) {
            return new BrokenCheckpoint(folder, step, String.valueOf(e.getMessage()));
        }
    }

    /** What the manifest of a step says, if it is whole. */
    static Optional<CheckpointSummary> said(Path store, long step) {
        try {
            Manifest manifest = manifest(of(store, step));
            return Optional.of(
                    new CheckpointSummary(manifest.step(), manifest.epoch(), manifest.extra()));
        } catch (IOException | ConfigException e) {
            return Optional.empty();
        }
    }

    private static Manifest manifest(Path folder) throws IOException {
        byte[] json = NamedFile.bytes(folder.resolve(MANIFEST), LARGEST_MANIFEST_BYTES);
        try {
            JsonNode tree = Json.parse(json, JsonNode.class);
            int version = tree.path("formatVersion").asInt(0);
            if (version != 0 && version != Manifest.FORMAT_VERSION) {
                throw new ConfigException(
                        "%s has format version %d, this version of Medley reads %d"
                                .formatted(MANIFEST, version, Manifest.FORMAT_VERSION));
            }
            if (tree instanceof ObjectNode object && SealedJson.isWhole(json)) {
                return Json.bind(SealedJson.content(object), Manifest.class);
            }
        } catch (JacksonException e) {
            throw new ConfigException(
                    "%s is damaged: its %d bytes are no whole JSON"
                            .formatted(MANIFEST, json.length),
                    e);
        }
        throw new ConfigException(MANIFEST + " is damaged: its checksum differs");
    }

    private static Safetensors verified(Path folder, Manifest.Shard shard) throws IOException {
        Path file = folder.resolve(shard.file());
        Span all = MappedFile.map(file);
        if (all.bytes() != shard.bytes()) {
            throw new ConfigException(
                    "%s has %d bytes, %d were written"
                            .formatted(shard.file(), all.bytes(), shard.bytes()));
        }
        String hash = SpanHash.of(List.of(all));
        if (!hash.equals(shard.xxh64())) {
            throw new ConfigException(
                    "%s is damaged: its checksum is %s, not %s"
                            .formatted(shard.file(), hash, shard.xxh64()));
        }
        return Safetensors.of(file.toString(), all);
    }
}
