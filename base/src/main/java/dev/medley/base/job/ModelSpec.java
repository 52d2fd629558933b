package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.model.KMeansSpec;
import dev.medley.base.model.LanguageModelSpec;
import dev.medley.base.model.LoraSpec;
import dev.medley.base.model.TreeSpec;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A model family with its options. Input and output sizes come from the data's {@link Signature}.
 *
 * <p>Long because each family has a record of its own here, with its checks.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "family")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ModelSpec.Linear.class, name = "linear"),
    @JsonSubTypes.Type(value = ModelSpec.Mlp.class, name = "mlp"),
    @JsonSubTypes.Type(value = ModelSpec.Cnn.class, name = "cnn"),
    @JsonSubTypes.Type(value = ModelSpec.Resnet.class, name = "resnet"),
    @JsonSubTypes.Type(value = ModelSpec.Lstm.class, name = "lstm"),
    @JsonSubTypes.Type(value = ModelSpec.Gru.class, name = "gru"),
    @JsonSubTypes.Type(value = ModelSpec.Transformer.class, name = "transformer"),
    @JsonSubTypes.Type(value = ModelSpec.Pretrained.class, name = "pretrained"),
    @JsonSubTypes.Type(value = ModelSpec.Boosting.class, name = "boosting"),
    @JsonSubTypes.Type(value = ModelSpec.Forest.class, name = "forest"),
    @JsonSubTypes.Type(value = ModelSpec.Factorization.class, name = "factorization"),
    @JsonSubTypes.Type(value = ModelSpec.TorchScript.class, name = "torchscript"),
    @JsonSubTypes.Type(value = ModelSpec.KMeans.class, name = "kmeans"),
    @JsonSubTypes.Type(value = ModelSpec.Custom.class, name = "custom")
})
public sealed interface ModelSpec {
    /** The name of a model family in job files. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface Family {
        /** The name. */
        String value();
    }

    /** The name of the family in a job file. */
    default String family() {
        return getClass().getAnnotation(Family.class).value();
    }

    /** The non-linearity between layers. */
    enum Activation {
        RELU,
        GELU,
        TANH
    }

    /** Linear or logistic regression, as the target asks. */
    @Family("linear")
    record Linear() implements ModelSpec {}

    /** The form in which a network reads the numeric columns of a table. */
    enum Numeric {
        /** The scaled number alone. */
        PLAIN,
        /** Beside it sines and cosines of learned frequencies. */
        PERIODIC,
        /** Beside it where it lies among the quantiles of the training rows. */
        PIECEWISE
    }

    /**
     * Fully connected layers. Components that the records of earlier versions lack make them plain.
     *
     * @param hidden widths of the hidden layers
     * @param activation after each of them
     * @param dropout share of hidden values dropped in training
     * @param numeric form of numeric columns
     * @param embed width of each embedded category; 0 for one that follows its cardinality
     * @param wide whether a linear model of the inputs is added to the outputs
     * @param ensemble networks that share their layers but for adapters; 0 for one network
     */
    @Family("mlp")
    record Mlp(
            List<Integer> hidden,
            Activation activation,
            double dropout,
            Numeric numeric,
            @JsonSetter(nulls = Nulls.AS_EMPTY) int embed,
            @JsonSetter(nulls = Nulls.AS_EMPTY) boolean wide,
            @JsonSetter(nulls = Nulls.AS_EMPTY) int ensemble)
            implements ModelSpec {
        /** Networks of an ensemble that says no number (Gorishniy et al. 2025). */
        public static final int USUAL_ENSEMBLE = 32;

        public Mlp {
            hidden = List.copyOf(hidden);
            numeric = Objects.requireNonNullElse(numeric, Numeric.PLAIN);
            checkWidths("model.hidden", hidden);
            checkDropout(dropout);
            check(embed >= 0, "model.embed=%d: at least 1", embed);
            check(
                    ensemble == 0 || ensemble >= 2,
                    "model.ensemble=%d: at least 2 networks, or false for one",
                    ensemble);
            check(
                    ensemble == 0 || !hidden.isEmpty(),
                    "model.ensemble=%d: needs a hidden layer that the networks share",
                    ensemble);
        }

        /** Layers over numbers as they are. */
        public Mlp(List<Integer> hidden, Activation activation, double dropout) {
            this(hidden, activation, dropout, Numeric.PLAIN, 0, false, 0);
        }

        /** Two hidden layers of 256 and 64 over numbers as they are. */
        public static Mlp plain() {
            return new Mlp(List.of(256, 64), Activation.RELU, 0);
        }

        /** What a job gets that names the family alone. */
        public static Mlp defaults() {
            return new Mlp(List.of(256, 64), Activation.RELU, 0.2, Numeric.PIECEWISE, 0, true, 0);
        }

        /** Whether it is layers over numbers as they are. */
        public boolean isPlain() {
            return equals(new Mlp(hidden, activation, dropout));
        }
    }

    /**
     * Blocks of convolution (padding kernel/2), optional batch normalisation, activation and 2x2
     * max pooling; then fully connected layers.
     *
     * @param channels outputs of each block's convolution
     * @param kernel side of the convolutions, odd
     * @param hidden widths of the fully connected layers before the output
     * @param batchNorm whether blocks normalise
     * @param dropout share of values dropped before each fully connected layer in training
     */
    @Family("cnn")
    record Cnn(
            List<Integer> channels,
            int kernel,
            List<Integer> hidden,
            boolean batchNorm,
            double dropout)
            implements ModelSpec {
        public Cnn {
            channels = List.copyOf(channels);
            hidden = List.copyOf(hidden);
            checkWidths("model.channels", channels);
            checkWidths("model.hidden", hidden);
            check(kernel >= 1 && kernel % 2 == 1, "model.kernel=%d: an odd number", kernel);
            checkDropout(dropout);
        }

        /** Two blocks of 32 and 64 channels, one hidden layer of 128. */
        public static Cnn defaults() {
            return new Cnn(List.of(32, 64), 3, List.of(128), false, 0);
        }
    }

    /**
     * A residual network for images (He et al. 2016).
     *
     * @param depth layers: 18, 34 or 50
     */
    @Family("resnet")
    record Resnet(int depth) implements ModelSpec {
        private static final Map<Integer, List<Integer>> BLOCKS =
                Map.of(18, List.of(2, 2, 2, 2), 34, List.of(3, 4, 6, 3), 50, List.of(3, 4, 6, 3));

        public Resnet {
            check(BLOCKS.containsKey(depth), "model.depth=%d: 18, 34 or 50", depth);
        }

        /** Eighteen layers. */
        public static Resnet defaults() {
            return new Resnet(18);
        }

        /** Blocks of each of the four stages. */
        public List<Integer> blocks() {
            return BLOCKS.getOrDefault(depth, List.of());
        }

        /** Whether blocks have three convolutions instead of two. */
        public boolean isDeep() {
            return depth >= 50;
        }
    }

    /** A network that reads a sequence row by row, and answers from what it remembers. */
    sealed interface Recurrent extends ModelSpec {
        /** Memories one above the other. */
        int layers();

        /** Cells of each. */
        int width();

        /** Share of values dropped before the output in training. */
        double dropout();
    }

    /**
     * Long short-term memories (Hochreiter, Schmidhuber 1997).
     *
     * @param layers memories one above the other
     * @param width cells of each
     * @param dropout share of values dropped before the output in training
     */
    @Family("lstm")
    record Lstm(int layers, int width, double dropout) implements Recurrent {
        public Lstm {
            checkRecurrent(layers, width, dropout);
        }

        /** Two layers of 128. */
        public static Lstm defaults() {
            return new Lstm(2, 128, 0);
        }
    }

    /**
     * Gated recurrent units (Cho et al. 2014).
     *
     * @param layers of units, one above the other
     * @param width units of each
     * @param dropout share of values dropped before the output in training
     */
    @Family("gru")
    record Gru(int layers, int width, double dropout) implements Recurrent {
        public Gru {
            checkRecurrent(layers, width, dropout);
        }

        /** Two layers of 128. */
        public static Gru defaults() {
            return new Gru(2, 128, 0);
        }
    }

    private static void checkRecurrent(int layers, int width, double dropout) {
        check(layers >= 1, "model.layers=%d: at least 1", layers);
        check(width >= 1, "model.width=%d: at least 1", width);
        checkDropout(dropout);
    }

    /**
     * A transformer: learned positions, pre-norm blocks, GELU feed-forward of four times the width,
     * untied head (Vaswani et al. 2017; Radford et al. 2019).
     *
     * @param layers blocks
     * @param width of the residual stream
     * @param heads of attention; divides the width
     * @param dropout share of values dropped after attention and feed-forward in training
     * @param form what it does. Null, as in the records of versions that had no such component, is
     *     {@link Form#DECODER}
     * @param patch rows of a window that an encoder takes as one; else 0, as in those records
     * @param patchStride rows from one patch to the next; else 0
     */
    @Family("transformer")
    record Transformer(
            int layers,
            int width,
            int heads,
            double dropout,
            Form form,
            @JsonSetter(nulls = Nulls.AS_EMPTY) int patch,
            @JsonSetter(nulls = Nulls.AS_EMPTY) int patchStride)
            implements ModelSpec {
        /** What a transformer does. */
        public enum Form {
            /** Predicts the next token from those before it. */
            DECODER,
            /**
             * Forecasts each column of a window from its patches (PatchTST, Nie et al. 2023), or
             * says the class of a text, which has none.
             */
            ENCODER
        }

        public Transformer {
            form = Objects.requireNonNullElse(form, Form.DECODER);
            boolean isEncoder = form == Form.ENCODER;
            check(
                    isEncoder ? patch >= 1 && patchStride >= 1 : patch == 0 && patchStride == 0,
                    "model.form=%s, model.patch=%d, model.patch_stride=%d: an encoder has patches,"
                            + " of at least 1 row, and a decoder has none",
                    form,
                    patch,
                    patchStride);
            check(layers >= 1, "model.layers=%d: at least 1", layers);
            check(
                    heads >= 1 && width >= 1 && width % heads == 0,
                    "model.width=%d, model.heads=%d: the heads share the width evenly",
                    width,
                    heads);
            checkDropout(dropout);
        }

        /** A decoder. */
        public Transformer(int layers, int width, int heads, double dropout) {
            this(layers, width, heads, dropout, Form.DECODER, 0, 0);
        }

        /** The same as an encoder of patches of so many rows. */
        public Transformer ofPatches(int rows, int stride) {
            return new Transformer(layers, width, heads, dropout, Form.ENCODER, rows, stride);
        }

        /** Four blocks of width 128 with four heads. */
        public static Transformer defaults() {
            return new Transformer(4, 128, 4, 0);
        }
    }

    /**
     * A language model that was trained elsewhere, as transformers saves it, to go on with.
     *
     * @param from its folder
     * @param dropout share of values dropped after attention and feed-forward in training
     * @param lora adapters that alone are learnt; null where all parameters are
     * @param found in the folder; null until somebody has looked
     */
    @Family("pretrained")
    record Pretrained(String from, double dropout, @Nullable LoraSpec lora, @Nullable Found found)
            implements ModelSpec {
        /**
         * What lies in the folder.
         *
         * @param architecture of its model
         * @param sha256 of its weights
         */
        public record Found(LanguageModelSpec architecture, String sha256) {}

        public Pretrained {
            checkDropout(dropout);
        }

        /** All of its parameters are learnt. */
        public static Pretrained of(String from) {
            return new Pretrained(from, 0, null, null);
        }

        /** The same with adapters, or without any where {@code adapters} is null. */
        public Pretrained with(@Nullable LoraSpec adapters) {
            return new Pretrained(from, dropout, adapters, found);
        }

        /** The same, of which is known what lies in the folder. */
        public Pretrained with(Found known) {
            return new Pretrained(from, dropout, lora, known);
        }

        /** Its architecture, once somebody has looked into the folder. */
        public LanguageModelSpec architecture() {
            return Objects.requireNonNull(found, "nobody has looked into the folder").architecture;
        }
    }

    /** Families of trees: each round adds some to an ensemble, over all training rows. */
    sealed interface Trees extends ModelSpec {
        /** Rounds at most; training may end before. */
        int rounds();

        /** How each tree grows. */
        TreeSpec tree();
    }

    /**
     * Gradient boosting: each round adds a tree, or one a class, that corrects those before it
     * (Friedman 2001; Chen and Guestrin 2016).
     *
     * @param rounds at most
     * @param learningRate by which each tree is scaled
     * @param tree how each grows
     * @param ranking what is learnt of rows that are ranked; null, as in the records of versions
     *     that had no such component, for the usual
     */
    @Family("boosting")
    record Boosting(int rounds, double learningRate, TreeSpec tree, @Nullable Ranking ranking)
            implements Trees {
        /** What is learnt of pairs of rows of a group, by LambdaMART (Burges 2010). */
        public enum Ranking {
            /** Pairs count by what their exchange would change of NDCG. The usual. */
            NDCG,
            /** All pairs count alike (RankNet, Burges et al. 2005). */
            PAIRWISE
        }

        public Boosting {
            checkRounds("rounds", rounds);
            check(
                    learningRate > 0 && learningRate <= 1,
                    "model.learning_rate=%s: above 0, at most 1",
                    learningRate);
        }

        /** The usual of rows that are ranked, too. */
        public Boosting(int rounds, double learningRate, TreeSpec tree) {
            this(rounds, learningRate, tree, null);
        }

        /** The same that learns this of rows that are ranked. */
        public Boosting ranking(Ranking by) {
            return new Boosting(rounds, learningRate, tree, by);
        }

        /** Up to 1000 rounds of 0.05. */
        public static Boosting defaults() {
            return new Boosting(1000, 0.05, TreeSpec.ofBoosting());
        }
    }

    /**
     * A random forest: the mean of trees that each see other rows and columns (Breiman 2001).
     *
     * @param rounds trees, one a round; a class each where there are several
     * @param tree how each grows
     */
    @Family("forest")
    record Forest(@JsonProperty("trees") int rounds, TreeSpec tree) implements Trees {
        public Forest {
            checkRounds("trees", rounds);
        }

        /** 300 trees. */
        public static Forest defaults() {
            return new Forest(300, TreeSpec.ofForest());
        }
    }

    /**
     * A factorisation machine (Rendle 2010): over a column of users and one of items it is matrix
     * factorisation with biases (Koren, Bell, Volinsky 2009).
     *
     * @param factors what they are, and how they are found
     */
    @Family("factorization")
    record Factorization(FactorSpec factors) implements ModelSpec {
        /** Over all columns. */
        public static Factorization defaults() {
            return new Factorization(FactorSpec.defaults());
        }
    }

    /**
     * A network that Python wrote: a program in TorchScript with its parameters, where it begins.
     *
     * @param file absolute path
     * @param sha256 of its content, in hex digits
     */
    @Family("torchscript")
    record TorchScript(String file, String sha256) implements ModelSpec {
        public TorchScript {
            check(!file.isBlank(), "model.file is empty: name a TorchScript file");
            check(
                    sha256.matches("[0-9a-f]{64}"),
                    "model.sha256=%s: 64 hex digits, as sha256sum shows them",
                    sha256);
        }

        /** The same content, which lies elsewhere. */
        public TorchScript at(String place) {
            return new TorchScript(place, sha256);
        }
    }

    /**
     * Groups of samples that are like each other, found without a label: each sample belongs to the
     * nearest of k centres.
     *
     * @param k how many
     * @param fit how centres are found
     */
    @Family("kmeans")
    record KMeans(int k, KMeansSpec fit) implements ModelSpec {
        public KMeans {
            check(k >= 1, "model.k=%d: at least 1 cluster", k);
        }

        /** Eight clusters. */
        public static KMeans defaults() {
            return new KMeans(8, KMeansSpec.defaults());
        }

        /** Whether each step takes all samples. */
        public boolean takesAllSamples() {
            return fit.algorithm() == KMeansSpec.Algorithm.LLOYD;
        }
    }

    /** A user's own {@code dev.medley.tensor.model.Architecture}. */
    @Family("custom")
    record Custom(ClassSpec architecture) implements ModelSpec {}

    private static void checkWidths(String name, List<Integer> widths) {
        check(
                widths.stream().allMatch(w -> w >= 1),
                "%s=%s: every width is at least 1",
                name,
                widths);
    }

    private static void checkRounds(String key, int rounds) {
        check(rounds >= 1, "model.%s=%d: at least 1", key, rounds);
    }

    private static void checkDropout(double dropout) {
        check(dropout >= 0 && dropout < 1, "model.dropout=%s: from 0 to below 1", dropout);
    }
}
