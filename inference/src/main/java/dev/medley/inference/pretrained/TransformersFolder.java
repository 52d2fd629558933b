package dev.medley.inference.pretrained;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.NamedFile;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.ModelSpec.Pretrained.Found;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.model.LanguageModelSpec;
import dev.medley.data.token.TokenizerFile;
import dev.medley.data.token.Tokens;
import dev.medley.store.file.Checksum;
import dev.medley.store.file.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Holds a model as transformers' {@code save_pretrained} leaves it: {@code config.json}, {@code
 * model.safetensors} and {@code tokenizer.json}. Whether they fit each other is checked when it is
 * opened, by names and shapes.
 */
public final class TransformersFolder {
    private static final String CONFIG = "config.json";
    private static final String WEIGHTS = "model.safetensors";
    private static final String TOKENIZER = "tokenizer.json";
    private static final int LARGEST_CONFIG_BYTES = 1 << 20;

    /** Rows of an embedding that tokenizers leave unused, to make their number even. */
    private static final int MOST_UNUSED = 1024;

    private final Path folder;
    private final LanguageModelSpec architecture;
    private final PretrainedWeights weights;
    private final Tokens tokens;

    private TransformersFolder(
            Path folder, LanguageModelSpec architecture, PretrainedWeights weights, Tokens tokens) {
        this.folder = folder;
        this.architecture = architecture;
        this.weights = weights;
        this.tokens = tokens;
    }

    /** Whether a folder looks like one. */
    public static boolean is(Path folder) {
        return Files.exists(folder.resolve(CONFIG));
    }

    /**
     * Opens one; weights are read by {@link #weights}.
     *
     * @throws ConfigException if it is none, or its files do not fit each other
     */
    public static TransformersFolder open(Path folder) {
        check(
                Files.isDirectory(folder),
                "%s: there is no such folder; name one that transformers has saved a model in",
                folder);
        check(
                is(folder),
                "%s: is no model that transformers has saved: it has no %s",
                folder,
                CONFIG);
        LanguageModelSpec architecture = config(folder.resolve(CONFIG)).architecture();
        Path file = folder.resolve(WEIGHTS);
        requireOneFile(folder, file);
        try {
            PretrainedWeights weights =
                    new PretrainedWeights(file, Safetensors.open(file), architecture);
            Tokens tokens = fitting(folder, architecture);
            return new TransformersFolder(folder, architecture, weights, tokens);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e, e);
        }
    }

    private static ModelConfig config(Path file) {
        try {
            byte[] json = NamedFile.bytes(file, LARGEST_CONFIG_BYTES);
            return new ModelConfig(file, Json.parse(json, JsonNode.class));
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e, e);
        } catch (JacksonException e) {
            throw new ConfigException(file + ": is no JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static void requireOneFile(Path folder, Path file) {
        check(
                !Files.exists(folder.resolve(WEIGHTS + ".index.json")),
                "%s: its weights are in several files: save them in one, with"
                        + " save_pretrained(max_shard_size=\"100GB\")",
                folder);
        check(
                Files.exists(file),
                "%s: has no %s: save it with save_pretrained, which writes one",
                folder,
                WEIGHTS);
    }

    private static Tokens fitting(Path folder, LanguageModelSpec architecture) {
        Path file = folder.resolve(TOKENIZER);
        Tokens tokens = TokenizerFile.read(file);
        int count = tokens.vocabulary().size();
        int rows = architecture.vocabulary();
        Tokens.Kind kind =
                switch (architecture.kind()) {
                    case GPT2 -> Tokens.Kind.BYTE_PAIRS;
                    case BERT -> Tokens.Kind.WORD_PIECES;
                };
        check(
                tokens.kind() == kind && count <= rows && count >= rows - MOST_UNUSED,
                "%s: has %d tokens of %s, and the weights beside it are of %d: it is the tokenizer"
                        + " of another model",
                file,
                count,
                tokens.kind() == Tokens.Kind.BYTE_PAIRS ? "byte pairs" : "word pieces",
                rows);
        return tokens.filledUpTo(rows);
    }

    /** The architecture, and the SHA-256 of the weights, all of which are read for it. */
    public Found found() {
        Path file = folder.resolve(WEIGHTS);
        try {
            return new Found(architecture, Checksum.of(file, Checksum.Kind.SHA256));
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e, e);
        }
    }

    /** The tokens, as many as the weights have rows for. */
    public Tokens tokens() {
        return tokens;
    }

    /** The parameters under the names that a network of {@link ModelSpec.Pretrained} has. */
    public List<NamedSpan> weights() {
        return weights.arrays();
    }

    /**
     * The parameters of the folder that {@code spec} names.
     *
     * @throws ConfigException if they are not those that were found before
     */
    public static List<NamedSpan> weights(ModelSpec.Pretrained spec) {
        TransformersFolder here = open(Path.of(spec.from()));
        Found known = Objects.requireNonNull(spec.found());
        check(
                here.found().equals(known),
                "%s: is another model than the adapters were learnt for, whose weights have SHA-256"
                        + " %s: put it back as it was",
                spec.from(),
                known.sha256());
        return here.weights();
    }
}
