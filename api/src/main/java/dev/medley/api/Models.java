package dev.medley.api;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.ModelSpec.Activation;
import dev.medley.base.model.FactorSpec;
import dev.medley.tensor.script.ScriptFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Describes models of Medley's families. Sizes of inputs and outputs come from the data. */
public final class Models {
    private Models() {}

    /** Linear or logistic regression, as the target asks. */
    public static ModelSpec linear() {
        return new ModelSpec.Linear();
    }

    /** Fully connected layers of these widths with ReLU between them. */
    public static ModelSpec mlp(int... hidden) {
        return new ModelSpec.Mlp(list(hidden), Activation.RELU, 0);
    }

    /**
     * Blocks of 3x3 convolution, ReLU and 2x2 pooling with these channels, and one hidden layer of
     * 128.
     */
    public static ModelSpec cnn(int... channels) {
        return new ModelSpec.Cnn(list(channels), 3, List.of(128), false, 0);
    }

    /** A residual network for images, of 18, 34 or 50 layers. */
    public static ModelSpec resnet(int depth) {
        return new ModelSpec.Resnet(depth);
    }

    /** Layers of long short-term memories, for sequences. */
    public static ModelSpec lstm(int layers, int width) {
        return new ModelSpec.Lstm(layers, width, 0);
    }

    /** Layers of gated recurrent units, for sequences. */
    public static ModelSpec gru(int layers, int width) {
        return new ModelSpec.Gru(layers, width, 0);
    }

    /** A decoder-only transformer language model. */
    public static ModelSpec transformer(int layers, int width, int heads) {
        return new ModelSpec.Transformer(layers, width, heads, 0);
    }

    /**
     * A language model that transformers has saved, GPT-2 or BERT, to go on with; adapters of it by
     * {@code with(new LoraSpec(...))}.
     */
    public static ModelSpec.Pretrained pretrained(Path folder) {
        return ModelSpec.Pretrained.of(folder.toAbsolutePath().normalize().toString());
    }

    /** Gradient boosting of up to {@code rounds} rounds; for tables. */
    public static ModelSpec.Boosting boosting(int rounds) {
        ModelSpec.Boosting usual = ModelSpec.Boosting.defaults();
        return new ModelSpec.Boosting(rounds, usual.learningRate(), usual.tree());
    }

    /** The same for rows that are ranked ({@link Dataset#ranked}). */
    public static ModelSpec.Boosting boosting(int rounds, ModelSpec.Boosting.Ranking ranking) {
        return boosting(rounds).ranking(ranking);
    }

    /** A random forest of so many trees; for tables. */
    public static ModelSpec.Forest forest(int trees) {
        return new ModelSpec.Forest(trees, ModelSpec.Forest.defaults().tree());
    }

    /** Matrix factorisation of ratings with biases, with so many factors; for tables. */
    public static ModelSpec.Factorization factorization(String user, String item, int rank) {
        return factorization(FactorSpec.defaults().of(user, item).withRank(rank));
    }

    /** A factorisation as it is described. */
    public static ModelSpec.Factorization factorization(FactorSpec factors) {
        return new ModelSpec.Factorization(factors);
    }

    /**
     * A network that Python wrote, which begins with the file's parameters: {@code
     * torch.jit.script(net).save("net.pt")}.
     *
     * @throws dev.medley.base.ConfigException if the file is not there or cannot be read
     */
    public static ModelSpec torchScript(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        return new ModelSpec.TorchScript(absolute.toString(), ScriptFile.sha256(absolute));
    }

    /** Groups of like rows around {@code k} centres; for tables, without a label. */
    public static ModelSpec.KMeans kmeans(int k) {
        return new ModelSpec.KMeans(k, ModelSpec.KMeans.defaults().fit());
    }

    /** A user's own {@link dev.medley.tensor.model.Architecture}. */
    public static ModelSpec custom(Class<?> architecture) {
        return new ModelSpec.Custom(ClassSpec.of(architecture));
    }

    /**
     * A user's own {@link dev.medley.tensor.model.Architecture} with options for its constructor.
     */
    public static ModelSpec custom(Class<?> architecture, Map<String, String> options) {
        return new ModelSpec.Custom(new ClassSpec(architecture.getName(), options));
    }

    private static List<Integer> list(int... values) {
        return Arrays.stream(values).boxed().toList();
    }
}
