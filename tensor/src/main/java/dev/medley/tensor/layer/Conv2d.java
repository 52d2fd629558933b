package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Convolves images [samples, channels, height, width] with a square kernel. */
public final class Conv2d implements Layer {
    private final Parameter weight;
    private final @Nullable Parameter bias;
    private final int stride;
    private final int padding;

    private Conv2d(Parameter weight, @Nullable Parameter bias, int stride, int padding) {
        this.weight = weight;
        this.bias = bias;
        this.stride = stride;
        this.padding = padding;
    }

    /** Stride 1, padded so that the image keeps its size (kernel odd), with a bias. */
    public static Conv2d same(int inputs, int outputs, int kernel) {
        long fanIn = (long) inputs * kernel * kernel;
        Parameter bias = Parameter.of(Initializer.byFanIn(fanIn), outputs);
        return new Conv2d(weight(inputs, outputs, kernel), bias, 1, kernel / 2);
    }

    /** Without a bias, as before a normalisation. */
    public static Conv2d withoutBias(int inputs, int outputs, int kernel, int stride, int padding) {
        return new Conv2d(weight(inputs, outputs, kernel), null, stride, padding);
    }

    /** Without a bias, padded by half of the odd kernel, begun as before ReLU (He et al. 2015). */
    public static Conv2d beforeRelu(int inputs, int outputs, int kernel, int stride) {
        Initializer start = Initializer.byFanOut((long) outputs * kernel * kernel);
        Parameter weight = Parameter.of(start, outputs, inputs, kernel, kernel);
        return new Conv2d(weight, null, stride, kernel / 2);
    }

    /** Channels of its result. */
    public int outputs() {
        return Math.toIntExact(weight.shape()[0]);
    }

    private static Parameter weight(int inputs, int outputs, int kernel) {
        long fanIn = (long) inputs * kernel * kernel;
        return Parameter.of(Initializer.byFanIn(fanIn), outputs, inputs, kernel, kernel);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("weight", weight);
        if (bias != null) {
            declaration.parameter("bias", bias);
        }
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor shift = bias == null ? null : bias.value();
        return Functional.conv2d(x, weight.value(), shift, stride, padding);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value shift = bias == null ? Value.NONE : graph.parameter(bias);
        return graph.node(
                "Conv",
                List.of(x, graph.parameter(weight), shift),
                Attribute.list("strides", stride, stride),
                Attribute.list("pads", padding, padding, padding, padding));
    }
}
