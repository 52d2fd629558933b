package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Functional.BatchNormState;
import dev.medley.tensor.Tensor;

/**
 * Normalises each channel of images with the batch's mean and variance, and remembers running ones
 * for evaluation (Ioffe, Szegedy 2015). With several workers each normalises by its own share; the
 * running statistics are averaged by weight with the gradients.
 */
public final class BatchNorm2d implements Layer {
    private static final double MOMENTUM = 0.1;
    private static final double EPSILON = 1e-5;

    private final Parameter weight;
    private final Parameter bias;
    private final Parameter mean;
    private final Parameter variance;

    /** For images of {@code channels} channels. */
    public BatchNorm2d(int channels) {
        weight = Parameter.of(Initializer.constant(1), channels);
        bias = Parameter.of(Initializer.constant(0), channels);
        mean = Parameter.of(Initializer.constant(0), channels);
        variance = Parameter.of(Initializer.constant(1), channels);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("weight", weight);
        declaration.parameter("bias", bias);
        declaration.statistic("running_mean", mean);
        declaration.statistic("running_var", variance);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        BatchNormState state =
                new BatchNormState(weight.value(), bias.value(), mean.value(), variance.value());
        return pass.isTraining()
                ? Functional.batchNormTraining(x, state, MOMENTUM, EPSILON)
                : Functional.batchNormEvaluation(x, state, EPSILON);
    }
}
