package dev.medley.tensor.loss;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.memory.ElementType;
import dev.medley.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Weights the samples of a batch in a loss, besides the weights of their classes. Where all count
 * one, the loss is as it is without weights, bit by bit.
 */
public final class SampleWeights {
    private SampleWeights() {}

    /** Complains about a loss that does not say what each sample loses. */
    public static void require(LossFunction loss) {
        check(
                ClassWeighted.givesEach(loss),
                "data.weight: %s gives the sum of all losses alone; let it implement each(outputs,"
                        + " target), or leave the weights out",
                loss.getClass().getName());
    }

    /**
     * The sum of the losses of samples times their weights.
     *
     * @param weights [samples], of the outputs' type; null where all count one
     */
    public static Tensor sum(
            LossFunction loss, Tensor outputs, Tensor target, @Nullable Tensor weights) {
        return weights == null
                ? loss.sum(outputs, target)
                : each(loss, outputs, target).times(weights).sum();
    }

    /** The divisor of that sum for a mean. */
    public static double weight(LossFunction loss, Tensor target, @Nullable Tensor weights) {
        if (weights == null) {
            return loss.weight(target);
        }
        Tensor all = weights.to(ElementType.FLOAT64);
        return loss instanceof ClassWeighted byClass
                ? byClass.of(target).times(all).sum().item()
                : all.sum().item();
    }

    private static Tensor each(LossFunction loss, Tensor outputs, Tensor target) {
        Tensor each = loss.each(outputs, target);
        if (each == null) {
            throw new IllegalStateException(loss.getClass() + " says nothing of single samples");
        }
        return each;
    }
}
