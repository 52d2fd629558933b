package dev.medley.api.job;

import dev.medley.base.job.ModelSpec;

/** Reads the key {@code model} into a {@link ModelSpec}. */
final class ModelSection {
    private ModelSection() {}

    static ModelSpec read(Section model) {
        return switch (model.text("family", "custom")) {
            case "linear" -> new ModelSpec.Linear();
            case "mlp" -> mlp(model);
            case "cnn" -> cnn(model);
            case "resnet" ->
                    new ModelSpec.Resnet(model.count("depth", ModelSpec.Resnet.defaults().depth()));
            case "lstm" -> lstm(model);
            case "gru" -> gru(model);
            case "transformer" -> transformer(model);
            case "custom" -> new ModelSpec.Custom(model.ownClass());
            default -> throw new IllegalStateException("a family that the schema does not know");
        };
    }

    private static ModelSpec mlp(Section model) {
        ModelSpec.Mlp absent = ModelSpec.Mlp.defaults();
        return new ModelSpec.Mlp(
                model.counts("hidden", absent.hidden()),
                model.constant("activation", ModelSpec.Activation.class, absent.activation()),
                model.number("dropout", absent.dropout()));
    }

    private static ModelSpec cnn(Section model) {
        ModelSpec.Cnn absent = ModelSpec.Cnn.defaults();
        return new ModelSpec.Cnn(
                model.counts("channels", absent.channels()),
                model.count("kernel", absent.kernel()),
                model.counts("hidden", absent.hidden()),
                model.flag("batch_norm", absent.batchNorm()),
                model.number("dropout", absent.dropout()));
    }

    private static ModelSpec lstm(Section model) {
        ModelSpec.Lstm absent = ModelSpec.Lstm.defaults();
        return new ModelSpec.Lstm(
                model.count("layers", absent.layers()),
                model.count("width", absent.width()),
                model.number("dropout", absent.dropout()));
    }

    private static ModelSpec gru(Section model) {
        ModelSpec.Gru absent = ModelSpec.Gru.defaults();
        return new ModelSpec.Gru(
                model.count("layers", absent.layers()),
                model.count("width", absent.width()),
                model.number("dropout", absent.dropout()));
    }

    private static ModelSpec transformer(Section model) {
        ModelSpec.Transformer absent = ModelSpec.Transformer.defaults();
        ModelSpec.Transformer decoder =
                new ModelSpec.Transformer(
                        model.count("layers", absent.layers()),
                        model.count("width", absent.width()),
                        model.count("heads", absent.heads()),
                        model.number("dropout", absent.dropout()));
        return model.text("form", "decoder").equals("encoder")
                ? decoder.ofPatches(model.count("patch", 16), model.count("patch_stride", 8))
                : decoder;
    }
}
