package dev.medley.tensor.attention;

import dev.medley.base.model.LanguageModelSpec;
import dev.medley.base.model.LanguageModelSpec.Gelu;
import dev.medley.base.model.LanguageModelSpec.Kind;
import dev.medley.base.model.LoraSpec;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import org.jspecify.annotations.Nullable;

/**
 * Describes the blocks of a transformer.
 *
 * @param width of the residual stream
 * @param heads of attention; divides the width
 * @param inner width of the feed-forward network
 * @param dropout share dropped of what each part adds, in training
 * @param isCausal whether a position sees only what came before
 * @param isNormedBefore whether a part's input is normalised, else the sum behind it
 * @param gelu of the feed-forward network
 * @param epsilon of the norms
 * @param lora adapters of linear layers; null for none
 */
public record BlockForm(
        int width,
        int heads,
        int inner,
        double dropout,
        boolean isCausal,
        boolean isNormedBefore,
        Gelu gelu,
        double epsilon,
        @Nullable LoraSpec lora) {
    private static final double USUAL_EPSILON = 1e-5;
    private static final int USUAL_INNER = 4;

    /** Pre-norm blocks with exact GELU of four times the width, in which all is learnt. */
    private static BlockForm usual(int width, int heads, double dropout, boolean isCausal) {
        return new BlockForm(
                width,
                heads,
                USUAL_INNER * width,
                dropout,
                isCausal,
                true,
                Gelu.EXACT,
                USUAL_EPSILON,
                null);
    }

    /** Usual blocks in which a position sees what came before it (Radford et al. 2019). */
    public static BlockForm causal(int width, int heads, double dropout) {
        return usual(width, heads, dropout, true);
    }

    /** Usual blocks in which every position sees all. */
    public static BlockForm full(int width, int heads, double dropout) {
        return usual(width, heads, dropout, false);
    }

    /** Those of a pretrained model. */
    public static BlockForm of(LanguageModelSpec model, double dropout, @Nullable LoraSpec lora) {
        boolean isGpt = model.kind() == Kind.GPT2;
        return new BlockForm(
                model.width(),
                model.heads(),
                model.inner(),
                dropout,
                isGpt,
                isGpt,
                model.gelu(),
                model.epsilon(),
                lora);
    }

    /** A linear layer of a block, with an adapter where its name is a target. */
    Layer linear(String name, long inputs, long outputs) {
        LoraSpec adapters = lora;
        return adapters != null && adapters.targets().contains(name)
                ? new LoraLinear(inputs, outputs, adapters)
                : new Linear(inputs, outputs);
    }
}
