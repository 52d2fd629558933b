package dev.medley.tensor.loss;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import java.util.List;
import java.util.Objects;

/** Weights each sample in a loss by its class. */
final class ClassWeighted implements LossFunction {
    private final LossFunction loss;
    private final HostArray weights;

    ClassWeighted(LossFunction loss, List<Double> byClass) {
        this.loss = loss;
        weights = HostArray.allocate(ElementType.FLOAT64, byClass.size());
        for (int c = 0; c < byClass.size(); c++) {
            weights.data().buffer().asDoubleBuffer().put(c, byClass.get(c));
        }
    }

    /** Complains about a loss that does not say what each sample loses. */
    static void require(LossFunction loss) {
        check(
                givesEach(loss),
                "train.class_weights: %s gives the sum of all losses alone; let it implement"
                        + " each(outputs, target), or leave the weights out",
                loss.getClass().getName());
    }

    /** Whether a loss says what each sample loses. */
    static boolean givesEach(LossFunction loss) {
        try {
            return loss.getClass().getMethod("each", Tensor.class, Tensor.class).getDeclaringClass()
                    != LossFunction.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    @Override
    public Tensor sum(Tensor outputs, Tensor target) {
        return each(outputs, target).sum();
    }

    @Override
    public Tensor each(Tensor outputs, Tensor target) {
        return Objects.requireNonNull(loss.each(outputs, target), "each").times(of(target));
    }

    @Override
    public double weight(Tensor target) {
        return of(target).sum().item();
    }

    /** The weight of each sample's class, FLOAT64. */
    Tensor of(Tensor target) {
        return Functional.at(Tensor.aliasOf(weights), target.to(ElementType.INT64));
    }
}
