package dev.medley.store.model;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.NamedFile;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes and reads the folder of a trained model: {@code model.json} and {@code
 * weights.safetensors}, and for some a file {@link Beside} them. It is written whole or not at all,
 * and read only if every byte of it is as it was written. Cost: one pass over the weights either
 * way, at the speed of SHA-256.
 */
public final class ModelFolder {
    /** Layout of the folder that this version writes and reads. */
    public static final int FORMAT_VERSION = ModelFile.FORMAT_VERSION;

    static final String MODEL = "model.json";
    static final String WEIGHTS = "weights.safetensors";

    /** The coefficients of a linear model; for people, and not read again. */
    public static final String COEFFICIENTS = "coefficients.csv";

    /** What each column is worth to a model of trees; for people, and not read again. */
    public static final String IMPORTANCE = "importance.csv";

    /** What the clusters of a model are like; for people, and not read again. */
    public static final String CLUSTERS = "clusters.csv";

    /** Encoded values of each column, which explanations of predictions begin from. */
    public static final String REFERENCE = "reference.safetensors";

    /** The program of a model of family torchscript, as it was when training began. */
    public static final String PROGRAM = "program.pt";

    /** Adapters as PEFT reads them; not read again. */
    public static final String ADAPTERS = "adapter_model.safetensors";

    /** How PEFT is to read them; not read again. */
    public static final String ADAPTER_CONFIG = "adapter_config.json";

    private static final Set<String> FILES =
            Set.of(
                    MODEL,
                    WEIGHTS,
                    COEFFICIENTS,
                    IMPORTANCE,
                    CLUSTERS,
                    REFERENCE,
                    PROGRAM,
                    ADAPTERS,
                    ADAPTER_CONFIG);

    /**
     * A file beside the model.
     *
     * @param name one of those above
     * @param bytes its length
     * @param content what it holds
     */
    public record Beside(String name, long bytes, AtomicFile.Content content) {
        /** A text. */
        public static Beside text(String name, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return new Beside(
                    name,
                    bytes.length,
                    channel -> AtomicFile.writeFully(channel, ByteBuffer.wrap(bytes)));
        }

        /** Arrays, with what their readers want to be told. */
        public static Beside arrays(
                String name, Map<String, String> metadata, List<NamedSpan> arrays) {
            SafetensorsWriter writer = new SafetensorsWriter(metadata, arrays);
            return new Beside(name, writer.fileBytes(), writer::writeTo);
        }

        /** The same as another file. */
        public static Beside copy(String name, Path of) throws IOException {
            return new Beside(
                    name,
                    Files.size(of),
                    channel -> {
                        try (FileChannel from = FileChannel.open(of)) {
                            for (long at = 0; at < from.size(); ) {
                                at += from.transferTo(at, from.size() - at, channel);
                            }
                        }
                    });
        }
    }

    /** An encoding holds every category of every column. */
    private static final int LARGEST_JSON_BYTES = 1 << 30;

    private ModelFolder() {}

    /**
     * Writes a model, in place of an older one if there is one.
     *
     * @param weights parameters and buffers, under names that differ
     * @throws WriteFailure if it cannot be written; the older one stays
     * @throws ConfigException if the folder holds anything but a model: it is not replaced
     */
    public static void write(Path folder, ModelDescription description, List<NamedSpan> weights)
            throws WriteFailure {
        write(folder, description, weights, List.of());
    }

    /**
     * The same with files beside it.
     *
     * @param beside of which no two have a name
     */
    public static void write(
            Path folder, ModelDescription description, List<NamedSpan> weights, List<Beside> beside)
            throws WriteFailure {
        // "format" is what Python's libraries look for; the arrays are laid out as PyTorch's.
        SafetensorsWriter writer =
                new SafetensorsWriter(Map.of("format", "pt", "producer", "medley"), weights);
        checkReplaceable(folder);
        AtomicFolder.write(
                folder,
                writer.fileBytes() + beside.stream().mapToLong(Beside::bytes).sum(),
                into -> {
                    Checksum checksum = Checksum.start(Checksum.Kind.SHA256);
                    AtomicFile.write(
                            into.resolve(WEIGHTS),
                            writer.fileBytes(),
                            channel -> writer.writeTo(new HashingChannel(channel, checksum)));
                    for (Beside each : beside) {
                        AtomicFile.write(into.resolve(each.name()), each.bytes(), each.content());
                    }
                    ModelFile.Weights file =
                            new ModelFile.Weights(WEIGHTS, writer.fileBytes(), checksum.hex());
                    AtomicFile.write(
                            into.resolve(MODEL),
                            SealedJson.seal(Json.tree(ModelFile.of(file, description))));
                });
    }

    /**
     * Reads and verifies a model. A {@link ConfigException} says that it is no model folder, that a
     * file is missing or damaged, or that another version of Medley wrote it, and what to do.
     */
    public static StoredModel read(Path folder) {
        try {
            AtomicFolder.settle(folder);
            check(
                    Files.isDirectory(folder),
                    "%s: there is no such model folder: name one that holds %s and %s",
                    folder,
                    MODEL,
                    WEIGHTS);
            ModelFile model = modelFile(folder.resolve(MODEL));
            Safetensors weights = verified(folder, model.weights());
            return new StoredModel(
                    model.description(), weights.namedSpans(), model.weights().sha256());
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    "%s: %s is missing: not a model folder, or copied in part; copy it again"
                            .formatted(folder, Path.of(e.getFile()).getFileName()),
                    e);
        } catch (IOException e) {
            throw new ConfigException(folder + ": cannot be read: " + e, e);
        }
    }

    /** What a folder says of its model, which is quick: of the weights nothing is read. */
    public static Optional<ModelDescription> said(Path folder) {
        try {
            return Optional.of(modelFile(folder.resolve(MODEL)).description());
        } catch (IOException | ConfigException e) {
            return Optional.empty();
        }
    }

    private static ModelFile modelFile(Path file) throws IOException {
        byte[] json = NamedFile.bytes(file, LARGEST_JSON_BYTES);
        try {
            JsonNode tree = Json.parse(json, JsonNode.class);
            int version = tree.path("formatVersion").asInt(FORMAT_VERSION);
            check(
                    version == FORMAT_VERSION,
                    "%s: a model of format version %d, this Medley reads version %d:"
                            + " use the Medley that wrote it, or train the model again",
                    file,
                    version,
                    FORMAT_VERSION);
            if (tree instanceof ObjectNode object && SealedJson.isWhole(json)) {
                return Json.bind(SealedJson.content(object), ModelFile.class);
            }
        } catch (JacksonException e) {
            throw damaged(file, "it is not the JSON that was expected: " + e.getOriginalMessage());
        }
        throw damaged(file, "its checksum differs");
    }

    private static Safetensors verified(Path folder, ModelFile.Weights weights) throws IOException {
        Path file = folder.resolve(weights.file());
        Span all = MappedFile.map(file);
        if (all.bytes() != weights.bytes()) {
            throw damaged(
                    file, "%d bytes, %d were written".formatted(all.bytes(), weights.bytes()));
        }
        Checksum checksum = Checksum.start(Checksum.Kind.SHA256);
        all.buffers().forEach(checksum::update);
        String hex = checksum.hex();
        if (!hex.equals(weights.sha256())) {
            throw damaged(file, "its SHA-256 is %s, not %s".formatted(hex, weights.sha256()));
        }
        return Safetensors.of(file.toString(), all);
    }

    private static ConfigException damaged(Path file, String how) {
        return new ConfigException(
                "%s: damaged or edited: %s; copy the model folder again, or train it again"
                        .formatted(file, how));
    }

    private static void checkReplaceable(Path folder) throws WriteFailure {
        if (!Files.exists(folder)) {
            return;
        }
        check(
                Files.isDirectory(folder),
                "%s: is a file, but a model is a folder: choose another name",
                folder);
        try (Stream<Path> entries = Files.list(folder)) {
            Set<String> others =
                    entries.map(entry -> entry.getFileName().toString())
                            .filter(name -> !FILES.contains(name))
                            .collect(Collectors.toSet());
            check(
                    others.isEmpty(),
                    "%s: holds %s besides a model: choose a folder of its own",
                    folder,
                    others);
        } catch (IOException e) {
            throw WriteFailure.of(folder, 0, e);
        }
    }
}
