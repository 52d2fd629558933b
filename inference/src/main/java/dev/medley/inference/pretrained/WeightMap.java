package dev.medley.inference.pretrained;

import dev.medley.base.model.LanguageModelSpec;
import dev.medley.base.model.LanguageModelSpec.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Says of which arrays of a pretrained model each array of ours is made. Names are those of the
 * bare model, such as transformers' {@code GPT2Model}; a head lies beside it.
 */
final class WeightMap {
    private static final String HEAD = "head.";

    /** How arrays become ours. */
    enum Form {
        SAME,
        /** A matrix [in, out], as GPT-2's {@code Conv1D} has it. */
        TRANSPOSED,
        /** Several, one below the other. */
        STACKED,
        /** The first, with the first row of the second added to every row. */
        PLUS_ROW
    }

    /** An array of theirs. */
    record Source(String name, List<Long> shape) {}

    /** An array of ours, and of what it is made. */
    record Recipe(String ours, Form form, List<Source> sources) {
        /** Whether the model may lack it. */
        boolean isOptional() {
            return ours.startsWith(HEAD);
        }
    }

    private final LanguageModelSpec model;
    private final List<Recipe> recipes = new ArrayList<>();
    private final long width;

    private WeightMap(LanguageModelSpec model) {
        this.model = model;
        width = model.width();
    }

    /** All arrays of ours. */
    static List<Recipe> of(LanguageModelSpec model) {
        WeightMap map = new WeightMap(model);
        if (model.kind() == Kind.GPT2) {
            map.gpt2();
        } else {
            map.bert();
        }
        return map.recipes;
    }

    private void gpt2() {
        same("tok.weight", "wte.weight", model.vocabulary(), width);
        same("pos.weight", "wpe.weight", model.positions(), width);
        norm("norm", "ln_f");
        for (int i = 0; i < model.layers(); i++) {
            String ours = "blocks." + i + ".";
            String theirs = "h." + i + ".";
            norm(ours + "n1", theirs + "ln_1");
            norm(ours + "n2", theirs + "ln_2");
            conv1d(ours + "qkv", theirs + "attn.c_attn", width, 3 * width);
            conv1d(ours + "out", theirs + "attn.c_proj", width, width);
            conv1d(ours + "up", theirs + "mlp.c_fc", width, model.inner());
            conv1d(ours + "down", theirs + "mlp.c_proj", model.inner(), width);
        }
    }

    private void bert() {
        same("tok.weight", "embeddings.word_embeddings.weight", model.vocabulary(), width);
        Source positions =
                source("embeddings.position_embeddings.weight", model.positions(), width);
        Source types = source("embeddings.token_type_embeddings.weight", -1, width);
        recipes.add(new Recipe("pos.weight", Form.PLUS_ROW, List.of(positions, types)));
        norm("norm", "embeddings.LayerNorm");
        for (int i = 0; i < model.layers(); i++) {
            String ours = "blocks." + i + ".";
            String theirs = "encoder.layer." + i + ".";
            attention(ours + "qkv", theirs + "attention.self.");
            linear(ours + "out", theirs + "attention.output.dense", width, width);
            norm(ours + "n1", theirs + "attention.output.LayerNorm");
            linear(ours + "up", theirs + "intermediate.dense", width, model.inner());
            linear(ours + "down", theirs + "output.dense", model.inner(), width);
            norm(ours + "n2", theirs + "output.LayerNorm");
        }
        linear("pooler", "pooler.dense", width, width);
        same(HEAD + "weight", "classifier.weight", -1, width);
        same(HEAD + "bias", "classifier.bias", -1);
    }

    private void attention(String ours, String theirs) {
        List<String> parts = List.of("query", "key", "value");
        recipes.add(
                new Recipe(
                        ours + ".weight",
                        Form.STACKED,
                        parts.stream()
                                .map(p -> source(theirs + p + ".weight", width, width))
                                .toList()));
        recipes.add(
                new Recipe(
                        ours + ".bias",
                        Form.STACKED,
                        parts.stream().map(p -> source(theirs + p + ".bias", width)).toList()));
    }

    private void norm(String ours, String theirs) {
        same(ours + ".weight", theirs + ".weight", width);
        same(ours + ".bias", theirs + ".bias", width);
    }

    private void linear(String ours, String theirs, long inputs, long outputs) {
        same(ours + ".weight", theirs + ".weight", outputs, inputs);
        same(ours + ".bias", theirs + ".bias", outputs);
    }

    private void conv1d(String ours, String theirs, long inputs, long outputs) {
        Source weight = source(theirs + ".weight", inputs, outputs);
        recipes.add(new Recipe(ours + ".weight", Form.TRANSPOSED, List.of(weight)));
        same(ours + ".bias", theirs + ".bias", outputs);
    }

    private void same(String ours, String theirs, long... shape) {
        recipes.add(new Recipe(ours, Form.SAME, List.of(source(theirs, shape))));
    }

    /** A length of -1 may be any. */
    private static Source source(String name, long... shape) {
        return new Source(name, Arrays.stream(shape).boxed().toList());
    }
}
