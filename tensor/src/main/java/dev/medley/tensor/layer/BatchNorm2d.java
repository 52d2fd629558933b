package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Functional.BatchNormState;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import java.util.List;

/**
 * Normalises each channel of images with the batch's mean and variance, and remembers running ones
 * for evaluation (Ioffe, Szegedy 2015). With several workers, or micro-batches, each is normalised
 * by itself; the remembered moments are those of all samples of a step together.
 */
public final class BatchNorm2d implements Layer {
    private static final double EPSILON = 1e-5;

    private final Parameter weight;
    private final Parameter bias;
    private final RunningMoments moments;

    /** For images of {@code channels} channels. */
    public BatchNorm2d(int channels) {
        this(channels, 1);
    }

    private BatchNorm2d(int channels, double start) {
        weight = Parameter.of(Initializer.constant(start), channels);
        bias = Parameter.of(Initializer.constant(0), channels);
        moments = new RunningMoments(channels);
    }

    /** The same, but all zero before it learns: what it is added to is alone at first. */
    public static BatchNorm2d startingAtZero(int channels) {
        return new BatchNorm2d(channels, 0);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("weight", weight);
        declaration.parameter("bias", bias);
        declaration.moments("running_mean", "running_var", moments);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor mean = moments.mean().value();
        Tensor variance = moments.variance().value();
        if (!pass.isTraining()) {
            return Functional.batchNormEvaluation(x, state(mean, variance), EPSILON);
        }
        Tensor meanOfThese = Tensor.zeros(mean.type(), moments.channels());
        Tensor varianceOfThese = Tensor.zeros(mean.type(), moments.channels());
        BatchNormState state = state(meanOfThese, varianceOfThese);
        Tensor normalised = Functional.batchNormTraining(x, state, 1, EPSILON);
        moments.add(meanOfThese, varianceOfThese, x.count() / moments.channels());
        return normalised;
    }

    private BatchNormState state(Tensor mean, Tensor variance) {
        return new BatchNormState(weight.value(), bias.value(), mean, variance);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        List<Value> arguments =
                List.of(
                        x,
                        graph.parameter(weight),
                        graph.parameter(bias),
                        graph.parameter(moments.mean()),
                        graph.parameter(moments.variance()));
        return graph.node("BatchNormalization", arguments, Attribute.of("epsilon", EPSILON));
    }
}
