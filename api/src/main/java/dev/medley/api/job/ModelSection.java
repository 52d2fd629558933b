package dev.medley.api.job;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.model.KMeansSpec;
import dev.medley.base.model.LoraSpec;
import dev.medley.base.model.TreeSpec;
import dev.medley.tensor.script.ScriptFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the key {@code model} into a {@link ModelSpec}. */
final class ModelSection {
    private static final List<String> OF_LAYERS = List.of("hidden", "activation", "dropout");

    private ModelSection() {}

    /**
     * The model.
     *
     * @param folder where relative paths begin
     */
    static ModelSpec read(Section model, Path folder) {
        return switch (model.text("family", "custom")) {
            case "linear" -> new ModelSpec.Linear();
            case "mlp" -> mlp(model);
            case "cnn" -> cnn(model);
            case "resnet" ->
                    new ModelSpec.Resnet(model.count("depth", ModelSpec.Resnet.defaults().depth()));
            case "lstm" -> lstm(model);
            case "gru" -> gru(model);
            case "transformer" -> transformer(model);
            case "pretrained" -> pretrained(model, folder);
            case "boosting" -> boosting(model);
            case "forest" -> forest(model);
            case "factorization" -> factorization(model);
            case "torchscript" -> torchScript(model, folder);
            case "kmeans" -> kmeans(model);
            case "custom" -> new ModelSpec.Custom(model.ownClass());
            default -> throw new IllegalStateException("a family that the schema does not know");
        };
    }

    /** Who names the layers gets these and nothing else; who names the family gets the usual. */
    private static ModelSpec mlp(Section model) {
        ModelSpec.Mlp absent =
                OF_LAYERS.stream().anyMatch(model::has)
                        ? ModelSpec.Mlp.plain()
                        : ModelSpec.Mlp.defaults();
        return new ModelSpec.Mlp(
                model.counts("hidden", absent.hidden()),
                model.constant("activation", ModelSpec.Activation.class, absent.activation()),
                model.number("dropout", absent.dropout()),
                model.constant("numeric", ModelSpec.Numeric.class, absent.numeric()),
                model.count("embed", absent.embed()),
                model.flag("wide", absent.wide()),
                ensemble(model, absent.ensemble()));
    }

    private static int ensemble(Section model, int absent) {
        return switch (model.text("ensemble", "")) {
            case "true" -> ModelSpec.Mlp.USUAL_ENSEMBLE;
            case "false" -> 0;
            default -> model.count("ensemble", absent);
        };
    }

    private static ModelSpec torchScript(Section model, Path folder) {
        String file = DataSection.resolve(folder, model.text("file", ""));
        String sha256 = model.text("sha256", "");
        return new ModelSpec.TorchScript(
                file, sha256.isEmpty() ? ScriptFile.sha256(Path.of(file)) : sha256);
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

    private static ModelSpec boosting(Section model) {
        ModelSpec.Boosting absent = ModelSpec.Boosting.defaults();
        return new ModelSpec.Boosting(
                model.count("rounds", absent.rounds()),
                model.number("learning_rate", absent.learningRate()),
                tree(model, absent.tree()),
                model.has("ranking")
                        ? model.constant(
                                "ranking",
                                ModelSpec.Boosting.Ranking.class,
                                ModelSpec.Boosting.Ranking.NDCG)
                        : null);
    }

    private static ModelSpec forest(Section model) {
        ModelSpec.Forest absent = ModelSpec.Forest.defaults();
        return new ModelSpec.Forest(
                model.count("trees", absent.rounds()), tree(model, absent.tree()));
    }

    private static ModelSpec kmeans(Section model) {
        ModelSpec.KMeans absent = ModelSpec.KMeans.defaults();
        KMeansSpec fit = absent.fit();
        return new ModelSpec.KMeans(
                model.count("k", absent.k()),
                new KMeansSpec(
                        model.constant("algorithm", KMeansSpec.Algorithm.class, fit.algorithm()),
                        model.count("restarts", fit.restarts()),
                        model.count("iterations", fit.iterations()),
                        model.number("tolerance", fit.tolerance())));
    }

    private static TreeSpec tree(Section model, TreeSpec absent) {
        Section monotone = model.section("monotone");
        Map<String, TreeSpec.Direction> ways = new TreeMap<>();
        for (String column : monotone.keys()) {
            ways.put(
                    column,
                    monotone.constant(
                            column, TreeSpec.Direction.class, TreeSpec.Direction.INCREASING));
        }
        return new TreeSpec(
                model.count("depth", absent.depth()),
                model.count("leaves", absent.leaves()),
                model.number("min_child_weight", absent.minChildWeight()),
                model.number("min_split_gain", absent.minSplitGain()),
                model.number("l1", absent.l1()),
                model.number("l2", absent.l2()),
                model.number("subsample", absent.subsample()),
                model.number("colsample", absent.colsample()),
                model.count("bins", absent.bins()),
                ways);
    }

    private static ModelSpec factorization(Section model) {
        FactorSpec absent = FactorSpec.defaults();
        return new ModelSpec.Factorization(
                new FactorSpec(
                        model.textOrNull("user"),
                        model.textOrNull("item"),
                        model.flag("sides", absent.sides()),
                        model.count("rank", absent.rank()),
                        model.constant("feedback", FactorSpec.Feedback.class, absent.feedback()),
                        model.constant("solver", FactorSpec.Solver.class, absent.solver()),
                        model.constant("rows", FactorSpec.Rows.class, absent.rows()),
                        model.constant("tables", FactorSpec.Tables.class, absent.tables()),
                        model.count("iterations", absent.iterations()),
                        model.number("l2", absent.l2()),
                        model.number("confidence", absent.confidence()),
                        model.count("negatives", absent.negatives())));
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

    private static ModelSpec pretrained(Section model, Path folder) {
        String from = DataSection.resolve(folder, model.text("from", ""));
        double dropout = model.number("dropout", 0);
        LoraSpec adapters = model.has("lora") ? lora(model.section("lora")) : null;
        return new ModelSpec.Pretrained(from, dropout, adapters, null);
    }

    private static LoraSpec lora(Section lora) {
        LoraSpec absent = LoraSpec.defaults();
        int rank = lora.count("rank", absent.rank());
        return new LoraSpec(
                rank, lora.number("alpha", 2.0 * rank), lora.texts("targets", absent.targets()));
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
