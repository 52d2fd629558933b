package dev.medley.base.model;

import static dev.medley.base.ConfigException.check;

/**
 * Describes the architecture of a pretrained language model, as its {@code config.json} has it.
 *
 * @param kind of blocks
 * @param vocabulary rows of the token embedding
 * @param positions rows of the position embedding: the longest sequence
 * @param layers blocks
 * @param width of the residual stream
 * @param heads of attention; divides the width
 * @param inner width of the feed-forward networks
 * @param gelu form of the non-linearity
 * @param epsilon of the layer norms
 */
public record LanguageModelSpec(
        Kind kind,
        int vocabulary,
        int positions,
        int layers,
        int width,
        int heads,
        int inner,
        Gelu gelu,
        double epsilon) {
    /** The families of pretrained models. */
    public enum Kind {
        /** A decoder: norms before each part, a head tied to the embedding (Radford 2019). */
        GPT2,
        /** An encoder: norms behind each part, a pooler of the first token (Devlin 2019). */
        BERT
    }

    /** Forms of the Gaussian error linear unit (Hendrycks, Gimpel 2016). */
    public enum Gelu {
        /** By the normal distribution function. */
        EXACT,
        /** By its approximation with a hyperbolic tangent. */
        TANH
    }

    private static final int MOST = 1 << 24;
    private static final int MOST_LAYERS = 1000;

    public LanguageModelSpec {
        checkSize("vocab_size", vocabulary);
        checkSize("positions", positions);
        checkSize("width", width);
        checkSize("inner width", inner);
        check(layers >= 1 && layers <= MOST_LAYERS, "layers=%d: from 1 to %d", layers, MOST_LAYERS);
        check(
                heads >= 1 && width % heads == 0,
                "width=%d, heads=%d: the heads share the width evenly",
                width,
                heads);
        check(epsilon > 0 && epsilon < 1, "epsilon=%s of layer norms: above 0, below 1", epsilon);
    }

    private static void checkSize(String what, int size) {
        check(size >= 1 && size <= MOST, "%s=%d: from 1 to %d", what, size, MOST);
    }
}
