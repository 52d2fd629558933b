package dev.medley.tensor.vision;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.BatchNorm2d;
import dev.medley.tensor.layer.Conv2d;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds a shortcut to two or three normalised convolutions, and rectifies the sum (He et al. 2016).
 * The last normalisation begins at zero, so that a fresh block is its shortcut (Goyal et al. 2017).
 * Where the shape changes, the shortcut is a normalised 1x1 convolution. Names are torchvision's.
 */
final class ResidualBlock implements Layer {
    /** Outputs of a block of three convolutions, over the channels of its 3x3 convolution. */
    static final int EXPANSION = 4;

    private final List<Conv2d> convolutions = new ArrayList<>();
    private final List<BatchNorm2d> norms = new ArrayList<>();
    private final Layer body;
    private final Sequential shortcut;
    private final boolean isProjected;

    private ResidualBlock(int inputs, int outputs, int stride, List<Conv2d> convolutions) {
        this.convolutions.addAll(convolutions);
        List<Layer> layers = new ArrayList<>();
        for (Conv2d convolution : convolutions) {
            boolean isLast = norms.size() == convolutions.size() - 1;
            BatchNorm2d norm =
                    isLast
                            ? BatchNorm2d.startingAtZero(convolution.outputs())
                            : new BatchNorm2d(convolution.outputs());
            norms.add(norm);
            layers.add(convolution);
            layers.add(norm);
            if (!isLast) {
                layers.add(Activation.RELU);
            }
        }
        body = Sequential.of(layers);
        isProjected = stride != 1 || inputs != outputs;
        shortcut =
                isProjected
                        ? Sequential.of(
                                Conv2d.beforeRelu(inputs, outputs, 1, stride),
                                new BatchNorm2d(outputs))
                        : Sequential.of();
    }

    /** Two 3x3 convolutions; the first has the stride. */
    static ResidualBlock basic(int inputs, int outputs, int stride) {
        return new ResidualBlock(
                inputs,
                outputs,
                stride,
                List.of(
                        Conv2d.beforeRelu(inputs, outputs, 3, stride),
                        Conv2d.beforeRelu(outputs, outputs, 3, 1)));
    }

    /** Convolutions of 1x1, 3x3 with the stride, and 1x1 to four times {@code width}. */
    static ResidualBlock bottleneck(int inputs, int width, int stride) {
        int outputs = EXPANSION * width;
        return new ResidualBlock(
                inputs,
                outputs,
                stride,
                List.of(
                        Conv2d.beforeRelu(inputs, width, 1, 1),
                        Conv2d.beforeRelu(width, width, 3, stride),
                        Conv2d.beforeRelu(width, outputs, 1, 1)));
    }

    @Override
    public void declare(Declaration declaration) {
        for (int i = 0; i < convolutions.size(); i++) {
            declaration.layer("conv" + (i + 1), convolutions.get(i));
            declaration.layer("bn" + (i + 1), norms.get(i));
        }
        if (isProjected) {
            declaration.layer("downsample", shortcut);
        }
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return Functional.relu(body.forward(x, pass).plus(shortcut.forward(x, pass)));
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value sum = graph.node("Add", body.graph(x, graph), shortcut.graph(x, graph));
        return Activation.RELU.graph(sum, graph);
    }
}
