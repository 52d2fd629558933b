package dev.medley.tensor.model;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.custom.UserClass;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.ParameterGroupSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.tensor.forecast.ByChannel;
import dev.medley.tensor.forecast.NormalisedForecast;
import dev.medley.tensor.forecast.PatchEncoder;
import dev.medley.tensor.forecast.SequenceEncoder;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.BatchNorm2d;
import dev.medley.tensor.layer.Conv2d;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Dropout;
import dev.medley.tensor.layer.Flatten;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.MaxPool2d;
import dev.medley.tensor.layer.Sequential;
import dev.medley.tensor.layout.ParameterGroups;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import dev.medley.tensor.recurrent.RecurrentModel;
import dev.medley.tensor.script.ScriptedNetwork;
import dev.medley.tensor.vision.ResNet;
import java.util.ArrayList;
import java.util.List;

/** Builds networks for the data's signature, of the named families or a user's own. */
public final class Networks {
    private Networks() {}

    /**
     * A fresh network.
     *
     * @throws dev.medley.base.ConfigException if the family does not fit the signature
     */
    public static Network build(ModelSpec spec, Signature signature) {
        if (spec instanceof ModelSpec.Linear) {
            SparseNetwork sparse = SparseNetwork.of(signature);
            if (sparse != null) {
                return sparse;
            }
            return signature.target().kind() == TargetKind.VALUES
                    ? linearForecast(spec, signature)
                    : dense(
                            spec,
                            new ModelSpec.Mlp(List.of(), ModelSpec.Activation.RELU, 0),
                            signature);
        } else if (spec instanceof ModelSpec.Mlp mlp) {
            return dense(spec, mlp, signature);
        } else if (spec instanceof ModelSpec.Cnn cnn) {
            return convolutional(cnn, signature);
        } else if (spec instanceof ModelSpec.Resnet resnet) {
            return residual(resnet, signature);
        } else if (spec instanceof ModelSpec.Recurrent recurrent) {
            return recurrent(recurrent, signature);
        } else if (spec instanceof ModelSpec.Transformer transformer) {
            return transformer(transformer, signature);
        } else if (spec instanceof ModelSpec.Factorization factorization) {
            return FactorNetwork.of(factorization.factors(), signature);
        }
        if (spec instanceof ModelSpec.TorchScript script) {
            return new ScriptedModel(ScriptedNetwork.of(script, signature));
        }
        if (spec instanceof ModelSpec.Pretrained pretrained) {
            return LanguageNetworks.of(pretrained, signature);
        }
        if (!isNetwork(spec)) {
            throw new IllegalStateException(spec.family() + " is no network");
        }
        ModelSpec.Custom custom = (ModelSpec.Custom) spec;
        return UserClass.create(custom.architecture(), Architecture.class, "model.class")
                .build(signature);
    }

    /**
     * The parameters and statistics of a network, by name and shape, in the order of its layers;
     * found without memory for them. What learns otherwise, as trees and centres, has none.
     *
     * @throws dev.medley.base.ConfigException if the family does not fit the signature, or a group
     *     has no parameter
     */
    public static ParameterLayout layout(
            ModelSpec spec, List<ParameterGroupSpec> groupSpecs, Signature signature) {
        if (!isNetwork(spec)) {
            return new ParameterLayout(ElementType.FLOAT32, List.of(), List.of());
        }
        Declaration declaration = new Declaration();
        Network network = build(spec, signature);
        network.declare(declaration);
        network.close();
        ParameterGroups groups = new ParameterGroups(groupSpecs);
        groups.check(declaration.parameters().keySet());
        return ParameterLayout.of(declaration, groups, ElementType.FLOAT32, MemoryOrder.ROW_MAJOR);
    }

    private static boolean isNetwork(ModelSpec spec) {
        return !(spec instanceof ModelSpec.Trees || spec instanceof ModelSpec.KMeans);
    }

    private static Network linearForecast(ModelSpec spec, Signature signature) {
        Input past = window("linear", signature);
        int rows = past.shape().get(0);
        int horizon = signature.target().outputs() / past.shape().get(1);
        return ForecastNetwork.of(
                spec, new NormalisedForecast(new ByChannel(new Linear(rows, horizon))), signature);
    }

    /** Windows over time [look-back, channels], of which as many channels are asked for. */
    private static Input window(String family, Signature signature) {
        Input past = signature.inputs().get(0);
        check(
                signature.target().kind() == TargetKind.VALUES
                        && past.shape().size() == 2
                        && past.cardinalities().isEmpty(),
                "model.family=%s forecasts windows [rows, channels], but the data gives \"%s\" of"
                        + " shape %s",
                family,
                past.name(),
                past.shape());
        return past;
    }

    private static Network dense(ModelSpec named, ModelSpec.Mlp spec, Signature signature) {
        check(
                signature.target().kind() != TargetKind.TOKENS,
                "model.family=%s predicts one value or class a sample, but the data asks for"
                        + " tokens: use transformer",
                named.family());
        return TabularNetwork.of(spec, signature);
    }

    private static Network convolutional(ModelSpec.Cnn spec, Signature signature) {
        Input image = image(spec.family(), signature);
        List<Layer> layers = new ArrayList<>();
        int channels = image.shape().get(0);
        int height = image.shape().get(1);
        int width = image.shape().get(2);
        for (int outputs : spec.channels()) {
            addBlock(layers, spec, channels, outputs);
            channels = outputs;
            height /= 2;
            width /= 2;
        }
        check(
                height >= 1 && width >= 1,
                "model.channels=%s halves the image %d times, but it is only %d x %d pixels:"
                        + " use fewer blocks",
                spec.channels(),
                spec.channels().size(),
                image.shape().get(1),
                image.shape().get(2));
        layers.add(new Flatten());
        addHead(layers, spec, (long) channels * height * width, signature.target().outputs());
        return Network.of(Sequential.of(layers));
    }

    private static Network residual(ModelSpec.Resnet spec, Signature signature) {
        Input image = image(spec.family(), signature);
        return Network.of(ResNet.of(spec, image.shape(), signature.target().outputs()));
    }

    private static Input image(String family, Signature signature) {
        Input image = onlyInput(family, signature);
        check(
                image.shape().size() == 3 && image.cardinalities().isEmpty(),
                "model.family=%s takes images [channels, height, width], but the data gives"
                        + " \"%s\" of shape %s: use mlp or transformer",
                family,
                image.name(),
                image.shape());
        check(
                signature.target().kind() != TargetKind.TOKENS,
                "model.family=%s predicts one value or class an image, but the data asks for"
                        + " tokens",
                family);
        return image;
    }

    private static void addBlock(List<Layer> layers, ModelSpec.Cnn spec, int inputs, int outputs) {
        layers.add(Conv2d.same(inputs, outputs, spec.kernel()));
        if (spec.batchNorm()) {
            layers.add(new BatchNorm2d(outputs));
        }
        layers.add(Activation.RELU);
        layers.add(new MaxPool2d(2));
    }

    private static void addHead(List<Layer> layers, ModelSpec.Cnn spec, long inputs, int outputs) {
        long width = inputs;
        for (int hidden : spec.hidden()) {
            addDropout(layers, spec.dropout());
            layers.add(new Linear(width, hidden));
            layers.add(Activation.RELU);
            width = hidden;
        }
        addDropout(layers, spec.dropout());
        layers.add(new Linear(width, outputs));
    }

    private static Network recurrent(ModelSpec.Recurrent spec, Signature signature) {
        TargetKind asked = signature.target().kind();
        Input input =
                asked == TargetKind.VALUES
                        ? window(spec.family(), signature)
                        : onlyInput(spec.family(), signature);
        int outputs = signature.target().outputs();
        boolean isTokens = input.shape().size() == 1 && input.cardinalities().size() == 1;
        boolean isRows = input.shape().size() == 2 && input.cardinalities().isEmpty();
        check(
                isTokens || (isRows && asked != TargetKind.TOKENS),
                "model.family=%s reads sequences, of tokens or of rows of numbers, but the data"
                    + " gives \"%s\" of shape %s: set data.series for rows over time, or use mlp",
                spec.family(),
                input.name(),
                input.shape());
        if (isTokens) {
            int vocabulary = input.cardinalities().get(0);
            return Network.of(
                    asked == TargetKind.TOKENS
                            ? RecurrentModel.ofText(spec, vocabulary, outputs)
                            : RecurrentModel.ofTokens(spec, vocabulary, outputs));
        }
        RecurrentModel rows = RecurrentModel.ofRows(spec, input.shape().get(1), outputs);
        return asked == TargetKind.VALUES
                ? ForecastNetwork.of(spec, new NormalisedForecast(rows), signature)
                : Network.of(rows);
    }

    private static Network transformer(ModelSpec.Transformer spec, Signature signature) {
        boolean isEncoder = spec.form() == ModelSpec.Transformer.Form.ENCODER;
        Input input = onlyInput("transformer", signature);
        return isEncoder && input.cardinalities().isEmpty()
                ? encoder(spec, signature)
                : LanguageNetworks.of(spec, input, signature);
    }

    private static Network encoder(ModelSpec.Transformer spec, Signature signature) {
        boolean isForecast = signature.target().kind() == TargetKind.VALUES;
        Input past = signature.inputs().get(0);
        check(
                past.shape().size() == 2 && past.cardinalities().isEmpty(),
                "model.form=encoder reads windows over time, but the data gives \"%s\" of shape %s:"
                        + " set data.series, or take form decoder for text",
                past.name(),
                past.shape());
        int rows = past.shape().get(0);
        check(
                spec.patch() <= rows,
                "model.patch=%d is longer than the %d rows that are seen: take a shorter patch, or"
                        + " a longer data.series.look_back",
                spec.patch(),
                rows);
        if (!isForecast) {
            int outputs = signature.target().outputs();
            return Network.of(new SequenceEncoder(spec, rows, past.shape().get(1), outputs));
        }
        int horizon = signature.target().outputs() / past.shape().get(1);
        return ForecastNetwork.of(
                spec,
                new NormalisedForecast(new ByChannel(new PatchEncoder(spec, rows, horizon))),
                signature);
    }

    private static Input onlyInput(String family, Signature signature) {
        check(
                signature.inputs().size() == 1,
                "model.family=%s takes one input, but the data gives %d: use mlp",
                family,
                signature.inputs().size());
        return signature.inputs().get(0);
    }

    private static void addDropout(List<Layer> layers, double share) {
        if (share > 0) {
            layers.add(new Dropout(share));
        }
    }
}
