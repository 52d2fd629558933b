package dev.medley.inference.pretrained;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.model.LanguageModelSpec;
import dev.medley.base.model.LanguageModelSpec.Gelu;
import dev.medley.base.model.LanguageModelSpec.Kind;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/**
 * Reads the architecture from a {@code config.json} of transformers: that of GPT-2 or of BERT. What
 * asks for another computation than these have is refused by its key.
 */
record ModelConfig(Path file, JsonNode json) {
    private static final String GPT2 = "gpt2";
    private static final String BERT = "bert";

    LanguageModelSpec architecture() {
        String type = json.path("model_type").asString("");
        try {
            return switch (type) {
                case GPT2 -> gpt2();
                case BERT -> bert();
                default ->
                        throw new ConfigException(
                                "model_type is \"%s\": Medley reads gpt2 and bert".formatted(type));
            };
        } catch (ConfigException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    private LanguageModelSpec gpt2() {
        require("scale_attn_weights", true);
        require("scale_attn_by_inverse_layer_idx", false);
        require("add_cross_attention", false);
        require("tie_word_embeddings", true);
        int width = count("n_embd");
        return new LanguageModelSpec(
                Kind.GPT2,
                count("vocab_size"),
                count("n_positions"),
                count("n_layer"),
                width,
                count("n_head"),
                json.path("n_inner").isNumber() ? count("n_inner") : 4 * width,
                gelu("activation_function"),
                json.path("layer_norm_epsilon").asDouble(1e-5));
    }

    private LanguageModelSpec bert() {
        require("is_decoder", false);
        require("add_cross_attention", false);
        String positions = json.path("position_embedding_type").asString("absolute");
        check(
                positions.equals("absolute"),
                "position_embedding_type is %s: Medley reads absolute ones",
                positions);
        return new LanguageModelSpec(
                Kind.BERT,
                count("vocab_size"),
                count("max_position_embeddings"),
                count("num_hidden_layers"),
                count("hidden_size"),
                count("num_attention_heads"),
                count("intermediate_size"),
                gelu("hidden_act"),
                json.path("layer_norm_eps").asDouble(1e-12));
    }

    private int count(String key) {
        JsonNode value = json.path(key);
        check(
                value.isIntegralNumber() && value.canConvertToInt(),
                "%s is %s: a whole number is needed",
                key,
                value.isMissingNode() ? "missing" : value);
        return value.asInt();
    }

    private void require(String key, boolean known) {
        boolean found = json.path(key).asBoolean(known);
        check(
                found == known,
                "%s is %s: Medley computes models in which it is %s",
                key,
                found,
                known);
    }

    private Gelu gelu(String key) {
        String found = json.path(key).asString("");
        return switch (found) {
            case "gelu" -> Gelu.EXACT;
            case "gelu_new", "gelu_pytorch_tanh" -> Gelu.TANH;
            default ->
                    throw new ConfigException(
                            "%s is \"%s\": Medley computes gelu, gelu_new and gelu_pytorch_tanh"
                                    .formatted(key, found));
        };
    }
}
