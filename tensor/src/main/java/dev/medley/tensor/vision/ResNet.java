package dev.medley.tensor.vision;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.ModelSpec;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.AdaptiveAvgPool2d;
import dev.medley.tensor.layer.BatchNorm2d;
import dev.medley.tensor.layer.Conv2d;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Flatten;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.MaxPool2d;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Classifies images by a residual network of 18, 34 or 50 layers (He et al. 2016). Parameters have
 * torchvision's names and shapes, and begin as there.
 *
 * <p>Images of less than 64 pixels a side begin with a 3x3 convolution that keeps their size, as
 * He's networks for CIFAR do. Larger ones begin with 7x7 of stride 2 and 3x3 max pooling of stride
 * 2. Four stages follow, of 64 to 512 channels, of which the last three halve the image.
 */
public final class ResNet implements Layer {
    private static final int SMALL_BELOW = 64;

    /** Three stages halve the image, and the last one still needs a pixel. */
    private static final int SMALLEST = 8;

    private static final int FIRST_CHANNELS = 64;

    private final Map<String, Layer> named = new LinkedHashMap<>();
    private final Sequential all;

    private ResNet(ModelSpec.Resnet spec, int channels, boolean isSmall, int outputs) {
        List<Layer> layers = new ArrayList<>();
        Conv2d first =
                isSmall
                        ? Conv2d.beforeRelu(channels, FIRST_CHANNELS, 3, 1)
                        : Conv2d.beforeRelu(channels, FIRST_CHANNELS, 7, 2);
        add("conv1", first, layers);
        add("bn1", new BatchNorm2d(FIRST_CHANNELS), layers);
        layers.add(Activation.RELU);
        if (!isSmall) {
            layers.add(new MaxPool2d(3, 2, 1));
        }
        int inputs = FIRST_CHANNELS;
        for (int stage = 0; stage < spec.blocks().size(); stage++) {
            int width = FIRST_CHANNELS << stage;
            List<Layer> blocks = new ArrayList<>();
            for (int block = 0; block < spec.blocks().get(stage); block++) {
                int stride = stage > 0 && block == 0 ? 2 : 1;
                blocks.add(
                        spec.isDeep()
                                ? ResidualBlock.bottleneck(inputs, width, stride)
                                : ResidualBlock.basic(inputs, width, stride));
                inputs = spec.isDeep() ? ResidualBlock.EXPANSION * width : width;
            }
            add("layer" + (stage + 1), Sequential.of(blocks), layers);
        }
        layers.add(new AdaptiveAvgPool2d(1, 1));
        layers.add(new Flatten());
        add("fc", new Linear(inputs, outputs), layers);
        all = Sequential.of(layers);
    }

    /**
     * A fresh network.
     *
     * @param image channels, height and width
     * @param outputs of the last layer
     * @throws dev.medley.base.ConfigException for an image of less than 8 pixels a side
     */
    public static ResNet of(ModelSpec.Resnet spec, List<Integer> image, int outputs) {
        int least = Math.min(image.get(1), image.get(2));
        check(
                least >= SMALLEST,
                "model.family=resnet halves the image three times, but it is only %d x %d pixels:"
                        + " at least %d each way, set data.image.height and width, or use cnn",
                image.get(1),
                image.get(2),
                SMALLEST);
        return new ResNet(spec, image.get(0), least < SMALL_BELOW, outputs);
    }

    private void add(String name, Layer layer, List<Layer> layers) {
        named.put(name, layer);
        layers.add(layer);
    }

    @Override
    public void declare(Declaration declaration) {
        named.forEach(declaration::layer);
    }

    /** Outputs [samples, outputs] of images [samples, channels, height, width]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return all.forward(x, pass);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        return all.graph(x, graph);
    }
}
