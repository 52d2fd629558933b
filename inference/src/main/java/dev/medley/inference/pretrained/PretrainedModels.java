package dev.medley.inference.pretrained;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.model.LanguageModelSpec.Kind;
import dev.medley.base.model.LoraSpec;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.token.Tokens;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.Provenance;
import dev.medley.store.model.StoredModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads models to compute with: those of Medley's own folders, those that transformers saved, and
 * adapters, which are merged into the model that they were learnt for.
 */
public final class PretrainedModels {
    private static final String WEIGHT = ".weight";

    private PretrainedModels() {}

    /**
     * A whole model.
     *
     * @throws dev.medley.base.ConfigException if the folder holds none, or the model that its
     *     adapters belong to is gone or has changed
     */
    public static StoredModel read(Path folder) {
        if (TransformersFolder.is(folder)) {
            return decoder(folder, TransformersFolder.open(folder));
        }
        StoredModel stored = ModelFolder.read(folder);
        return stored.description().model() instanceof ModelSpec.Pretrained spec
                        && spec.lora() != null
                ? merged(stored, spec, spec.lora())
                : stored;
    }

    /**
     * What a run begins with.
     *
     * @param weights of the model, by the names of its network
     * @param sha256 that names them
     * @param encoding of its data; null for a model that was trained elsewhere, and has
     * @param tokens alone
     */
    public record Beginning(
            List<NamedSpan> weights,
            String sha256,
            @Nullable Encoding encoding,
            @Nullable Tokens tokens) {}

    /** The model of a folder as {@link #read} finds it, or that of an encoder. */
    public static Beginning toBeginWith(Path folder) {
        if (TransformersFolder.is(folder)) {
            TransformersFolder found = TransformersFolder.open(folder);
            return new Beginning(found.weights(), found.found().sha256(), null, found.tokens());
        }
        StoredModel stored = read(folder);
        return new Beginning(
                stored.weights(),
                stored.weightsSha256(),
                Json.bind(stored.description().encoding(), Encoding.class),
                null);
    }

    private static StoredModel decoder(Path folder, TransformersFolder found) {
        ModelSpec.Pretrained spec =
                ModelSpec.Pretrained.of(folder.toAbsolutePath().normalize().toString())
                        .with(found.found());
        ConfigException.check(
                spec.architecture().kind() == Kind.GPT2,
                "%s: is an encoder without classes: train it with model.from",
                folder);
        TextEncoding encoding = TextEncoding.of(found.tokens(), spec.architecture().positions());
        ModelDescription description =
                new ModelDescription(
                        spec,
                        LossSpec.auto(),
                        encoding.signature(),
                        Json.tree(encoding),
                        Map.of(),
                        new Provenance(
                                "",
                                "",
                                "",
                                1,
                                Json.tree(Map.of()),
                                Map.of("medley", Version.build()),
                                0));
        return new StoredModel(description, found.weights(), found.found().sha256());
    }

    private static StoredModel merged(
            StoredModel adapters, ModelSpec.Pretrained spec, LoraSpec lora) {
        Map<String, NamedSpan> learnt =
                adapters.weights().stream()
                        .collect(Collectors.toMap(NamedSpan::name, Function.identity()));
        List<NamedSpan> arrays = new ArrayList<>();
        for (NamedSpan base : TransformersFolder.weights(spec)) {
            NamedSpan own = learnt.remove(base.name()); // A head.
            arrays.add(own != null ? own : merged(base, learnt, lora));
        }
        learnt.values().stream()
                .filter(array -> !array.name().contains(".lora_"))
                .forEach(arrays::add);
        ModelDescription of = adapters.description();
        ModelDescription description =
                new ModelDescription(
                        spec.with((LoraSpec) null),
                        of.loss(),
                        of.signature(),
                        of.encoding(),
                        of.metrics(),
                        of.provenance(),
                        of.threshold());
        return new StoredModel(description, arrays, adapters.weightsSha256());
    }

    private static NamedSpan merged(NamedSpan base, Map<String, NamedSpan> learnt, LoraSpec lora) {
        String layer =
                base.name().endsWith(WEIGHT)
                        ? base.name().substring(0, base.name().length() - WEIGHT.length())
                        : base.name();
        NamedSpan down = learnt.get(layer + ".lora_A");
        NamedSpan up = learnt.get(layer + ".lora_B");
        if (down == null || up == null || !base.name().endsWith(WEIGHT)) {
            return base;
        }
        return new NamedSpan(
                base.name(),
                base.type(),
                base.shape(),
                FloatMatrix.plusProduct(
                        base.data(), up.data(), down.data(), lora.rank(), lora.scale()));
    }
}
