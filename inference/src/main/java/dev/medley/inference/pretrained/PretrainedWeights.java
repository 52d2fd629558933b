package dev.medley.inference.pretrained;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.model.LanguageModelSpec;
import dev.medley.base.model.LanguageModelSpec.Kind;
import dev.medley.base.text.DidYouMean;
import dev.medley.inference.pretrained.WeightMap.Form;
import dev.medley.inference.pretrained.WeightMap.Recipe;
import dev.medley.inference.pretrained.WeightMap.Source;
import dev.medley.store.file.Safetensors;
import dev.medley.store.file.StoredTensor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes our arrays of those of a pretrained model. Each array has to have its name and its shape; a
 * {@link ConfigException} names the first that has not, and the nearest that is there.
 */
final class PretrainedWeights {
    /** Masks that old versions saved, heads of other tasks, and the tied head. */
    private static final Pattern UNUSED =
            Pattern.compile(
                    "h\\.\\d+\\.attn\\.(bias|masked_bias)|lm_head\\.weight|cls\\..*"
                            + "|embeddings\\.position_ids");

    private final Path file;
    private final List<Recipe> recipes;
    private final Map<String, StoredTensor> arrays = new LinkedHashMap<>();

    /** Checks names and shapes; reads no weights. */
    PretrainedWeights(Path file, Safetensors stored, LanguageModelSpec model) {
        this.file = file;
        recipes = WeightMap.of(model);
        String prefix = model.kind() == Kind.GPT2 ? "transformer." : "bert.";
        for (StoredTensor array : stored.tensors()) {
            String name = bare(array.name(), prefix);
            check(
                    arrays.put(name, array) == null,
                    "%s: has two arrays for %s: save the model anew",
                    file,
                    name);
        }
        for (Recipe recipe : recipes) {
            if (!recipe.isOptional() || isThere(recipe)) {
                recipe.sources().forEach(this::require);
            }
        }
        requireKnown();
    }

    private static String bare(String name, String prefix) {
        String bare = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
        return bare.replaceFirst("LayerNorm\\.gamma$", "LayerNorm.weight")
                .replaceFirst("LayerNorm\\.beta$", "LayerNorm.bias");
    }

    private boolean isThere(Recipe recipe) {
        return recipe.sources().stream().allMatch(s -> arrays.containsKey(s.name()));
    }

    private void require(Source source) {
        StoredTensor found = arrays.get(source.name());
        if (found == null) {
            throw new ConfigException(
                    "%s: there is no %s of shape %s, which config.json asks for%s"
                            .formatted(
                                    file,
                                    source.name(),
                                    shape(source.shape()),
                                    nearest(source.name(), arrays.keySet())));
        }
        long[] shape = found.shape();
        boolean fits = shape.length == source.shape().size();
        for (int i = 0; fits && i < shape.length; i++) {
            long asked = source.shape().get(i);
            fits = asked == shape[i] || (asked < 0 && shape[i] > 0);
        }
        check(
                fits,
                "%s: %s has the shape %s, config.json asks for %s: these weights are of another"
                        + " model",
                file,
                found.name(),
                shape(Arrays.stream(shape).boxed().toList()),
                shape(source.shape()));
    }

    private void requireKnown() {
        Set<String> known = new HashSet<>();
        recipes.forEach(recipe -> recipe.sources().forEach(s -> known.add(s.name())));
        for (String name : arrays.keySet()) {
            check(
                    known.contains(name) || UNUSED.matcher(name).matches(),
                    "%s: has an array %s, which no part of such a model uses%s",
                    file,
                    name,
                    nearest(name, known));
        }
    }

    private static String nearest(String name, Set<String> names) {
        return DidYouMean.of(name, names).map(n -> "; the nearest is " + n).orElse("");
    }

    private static String shape(List<Long> shape) {
        return shape.toString().replace("-1", "any");
    }

    /** Our arrays; those that are as theirs are views of the file. */
    List<NamedSpan> arrays() {
        return recipes.stream()
                .filter(recipe -> !recipe.isOptional() || isThere(recipe))
                .map(this::made)
                .toList();
    }

    private NamedSpan made(Recipe recipe) {
        List<NamedSpan> parts = recipe.sources().stream().map(this::floats).toList();
        long[] shape = parts.get(0).shape();
        Span first = parts.get(0).data();
        if (recipe.form() == Form.TRANSPOSED) {
            Span turned = FloatMatrix.transposed(first, (int) shape[0], (int) shape[1]);
            return array(recipe, turned, shape[1], shape[0]);
        } else if (recipe.form() == Form.STACKED) {
            shape[0] *= parts.size();
            Span all = FloatMatrix.stacked(parts.stream().map(NamedSpan::data).toList());
            return array(recipe, all, shape);
        } else if (recipe.form() == Form.PLUS_ROW) {
            Span sum = FloatMatrix.plusRow(first, parts.get(1).data(), (int) shape[1]);
            return array(recipe, sum, shape);
        }
        return array(recipe, first, shape);
    }

    private static NamedSpan array(Recipe recipe, Span data, long... shape) {
        return new NamedSpan(recipe.ours(), ElementType.FLOAT32, shape, data);
    }

    private NamedSpan floats(Source source) {
        NamedSpan array = Objects.requireNonNull(arrays.get(source.name())).toNamedSpan();
        check(
                array.type() == ElementType.FLOAT32,
                "%s: %s is of type %s: weights of F32, F16 and BF16 are read",
                file,
                array.name(),
                array.type());
        return array;
    }
}
