package dev.medley.inference.pretrained;

import dev.medley.base.Json;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.model.LanguageModelSpec.Kind;
import dev.medley.base.model.LoraSpec;
import dev.medley.store.model.ModelFolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes adapters as Hugging Face's PEFT reads them: {@code adapter_model.safetensors} and {@code
 * adapter_config.json}.
 *
 * <p>Where queries, keys and values are layers of their own there, each gets the first factor as it
 * is, and its own rows of the second.
 */
public final class AdapterFiles {
    private static final String PREFIX = "base_model.model.";

    private final ModelSpec.Pretrained model;
    private final LoraSpec lora;
    private final boolean isGpt;

    private AdapterFiles(ModelSpec.Pretrained model, LoraSpec lora) {
        this.model = model;
        this.lora = lora;
        isGpt = model.architecture().kind() == Kind.GPT2;
    }

    /** Those of a model with adapters; none of another. */
    public static List<ModelFolder.Beside> of(ModelSpec.Pretrained model, List<NamedSpan> learnt) {
        LoraSpec lora = model.lora();
        if (lora == null) {
            return List.of();
        }
        AdapterFiles files = new AdapterFiles(model, lora);
        return List.of(
                ModelFolder.Beside.arrays(
                        ModelFolder.ADAPTERS, Map.of("format", "pt"), files.arrays(learnt)),
                ModelFolder.Beside.text(ModelFolder.ADAPTER_CONFIG, Json.pretty(files.config())));
    }

    private List<NamedSpan> arrays(List<NamedSpan> learnt) {
        List<NamedSpan> arrays = new ArrayList<>();
        for (NamedSpan array : learnt) {
            String[] path = array.name().split("\\.", -1);
            if (path[0].equals("head")) {
                arrays.add(renamed(array, "classifier." + path[1], array.data(), array.shape()));
                continue;
            }
            List<String> layers = layers(path[2]);
            long rows = array.shape()[0] / layers.size();
            for (int i = 0; i < layers.size(); i++) {
                String name = block(path[1]) + layers.get(i) + "." + path[3] + ".weight";
                boolean isShared = path[3].equals("lora_A");
                arrays.add(
                        isShared
                                ? renamed(array, name, array.data(), array.shape())
                                : renamed(
                                        array,
                                        name,
                                        rows(array.data(), i, layers.size()),
                                        rows,
                                        array.shape()[1]));
            }
        }
        return arrays;
    }

    private static Span rows(Span all, int part, int parts) {
        long bytes = all.bytes() / parts;
        return all.slice(part * bytes, bytes);
    }

    private static NamedSpan renamed(NamedSpan array, String name, Span data, long... shape) {
        return new NamedSpan(PREFIX + name, array.type(), shape, data);
    }

    private String block(String index) {
        return (isGpt ? "transformer.h." : "bert.encoder.layer.") + index + ".";
    }

    /** Their layers that are one of ours. */
    private List<String> layers(String ours) {
        return switch (ours) {
            case "qkv" ->
                    isGpt
                            ? List.of("attn.c_attn")
                            : List.of(
                                    "attention.self.query",
                                    "attention.self.key",
                                    "attention.self.value");
            case "out" -> List.of(isGpt ? "attn.c_proj" : "attention.output.dense");
            case "up" -> List.of(isGpt ? "mlp.c_fc" : "intermediate.dense");
            case "down" -> List.of(isGpt ? "mlp.c_proj" : "output.dense");
            default -> throw new IllegalStateException(ours + " has no adapter");
        };
    }

    private Map<String, Object> config() {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("peft_type", "LORA");
        config.put("task_type", isGpt ? "CAUSAL_LM" : "SEQ_CLS");
        config.put("base_model_name_or_path", model.from());
        config.put("r", lora.rank());
        config.put("lora_alpha", number(lora.alpha()));
        config.put("lora_dropout", 0);
        config.put("bias", "none");
        // A pattern of whole names: "output.dense" alone would be part of two.
        config.put(
                "target_modules",
                lora.targets().stream()
                        .flatMap(ours -> layers(ours).stream())
                        .map(layer -> layer.replace(".", "\\."))
                        .collect(Collectors.joining("|", ".*\\.\\d+\\.(", ")")));
        config.put("fan_in_fan_out", isGpt);
        config.put("modules_to_save", isGpt ? null : List.of("classifier"));
        config.put("inference_mode", true);
        return config;
    }

    private static Object number(double value) {
        return value == Math.rint(value) ? (Object) (long) value : (Object) value;
    }
}
