package dev.medley.tensor.model;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.model.LanguageModelSpec;
import dev.medley.base.model.LanguageModelSpec.Kind;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.language.PretrainedParts;
import dev.medley.tensor.language.TextClassifier;
import dev.medley.tensor.language.TransformerModel;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Pass;
import java.util.List;

/** Builds the transformers that read tokens, for the data's signature. */
final class LanguageNetworks {
    private LanguageNetworks() {}

    /** A network of one input, the tokens. */
    private record LanguageNetwork(Layer layer, boolean goesOn, boolean isPretrained)
            implements Network {
        @Override
        public void declare(Declaration declaration) {
            layer.declare(declaration);
        }

        @Override
        public Tensor forward(List<Tensor> inputs, Pass pass) {
            return layer.forward(inputs.get(0), pass);
        }

        @Override
        public Value graph(List<Value> inputs, Graph graph) {
            return layer.graph(inputs.get(0), graph);
        }

        @Override
        public boolean isNew(String parameter) {
            return isPretrained
                    && (PretrainedParts.isAdapter(parameter) || PretrainedParts.isHead(parameter));
        }
    }

    /** One that is drawn anew. */
    static Network of(ModelSpec.Transformer spec, Input text, Signature signature) {
        Signature.Target target = signature.target();
        check(
                target.kind() != TargetKind.VALUES,
                "model.form=decoder predicts the next token, but the data asks for a forecast: set"
                        + " model.form: encoder");
        check(
                text.shape().size() != 2 || !text.cardinalities().isEmpty(),
                "model.form=decoder reads tokens, but the data gives rows over time: set"
                        + " model.form: encoder");
        requireTokens("transformer", text);
        int vocabulary = text.cardinalities().get(0);
        int context = text.shape().get(0);
        if (spec.form() == ModelSpec.Transformer.Form.ENCODER) {
            requireClasses("model.form=encoder", target);
            TextClassifier classifier =
                    new TextClassifier(spec, vocabulary, context, target.outputs());
            return new LanguageNetwork(classifier, false, false);
        }
        check(
                target.kind() == TargetKind.TOKENS,
                "model.form=decoder predicts the next token, but the data asks for %s: set"
                        + " model.form: encoder",
                words(target));
        TransformerModel model = new TransformerModel(spec, vocabulary, context, target.outputs());
        return new LanguageNetwork(model, true, false);
    }

    /** One that was trained elsewhere. */
    static Network of(ModelSpec.Pretrained spec, Signature signature) {
        check(
                signature.inputs().size() == 1,
                "model.family=pretrained takes one text, but the data gives %d inputs",
                signature.inputs().size());
        Input text = signature.inputs().get(0);
        requireTokens("pretrained", text);
        LanguageModelSpec found = spec.architecture();
        check(
                text.cardinalities().get(0) == found.vocabulary(),
                "model.from=%s has %d tokens, and the data %d: its own tokenizer goes with it",
                spec.from(),
                found.vocabulary(),
                text.cardinalities().get(0));
        check(
                text.shape().get(0) <= found.positions(),
                "data.text.context=%d is longer than the %d positions that the model of"
                        + " model.from=%s has: take at most as many",
                text.shape().get(0),
                found.positions(),
                spec.from());
        Signature.Target target = signature.target();
        if (found.kind() == Kind.BERT) {
            requireClasses("an encoder, as is that of model.from=" + spec.from(), target);
            return new LanguageNetwork(new TextClassifier(spec, target.outputs()), false, true);
        }
        check(
                target.kind() == TargetKind.TOKENS,
                "model.from=%s is a decoder, which predicts the next token, but the data asks for"
                        + " %s",
                spec.from(),
                words(target));
        return new LanguageNetwork(new TransformerModel(spec), true, true);
    }

    private static void requireTokens(String family, Input text) {
        check(
                text.shape().size() == 1 && text.cardinalities().size() == 1,
                "model.family=%s takes token indices [context] of one vocabulary, but the data"
                        + " gives \"%s\" of shape %s with %d cardinalities",
                family,
                text.name(),
                text.shape(),
                text.cardinalities().size());
    }

    private static void requireClasses(String what, Signature.Target target) {
        check(
                target.kind() == TargetKind.BINARY || target.kind() == TargetKind.CLASSES,
                "%s: says the class of a text, but the data asks for %s: take a decoder",
                what,
                words(target));
    }

    /** What is asked for, as people say it. */
    private static String words(Signature.Target target) {
        return switch (target.kind()) {
            case BINARY, CLASSES -> "the class of a text";
            case TOKENS -> "the next token";
            case VALUE, GRADE -> "a number";
            case VALUES -> "a forecast";
            case NONE -> "nothing";
        };
    }
}
