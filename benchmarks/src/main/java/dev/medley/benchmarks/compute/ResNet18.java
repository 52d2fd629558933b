package dev.medley.benchmarks.compute;

import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.AdaptiveAvgPool2d;
import dev.medley.tensor.layer.BatchNorm2d;
import dev.medley.tensor.layer.Conv2d;
import dev.medley.tensor.layer.Flatten;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Residual;
import dev.medley.tensor.layer.Sequential;
import java.util.ArrayList;
import java.util.List;

/** Builds ResNet-18 (He et al. 2016) for small images: a 3x3 stem without pooling. */
final class ResNet18 {
    private static final int[] WIDTHS = {64, 64, 128, 128, 256, 256, 512, 512};

    private ResNet18() {}

    static Layer layers(int classes) {
        List<Layer> layers = new ArrayList<>();
        layers.add(Conv2d.withoutBias(3, 64, 3, 1, 1));
        layers.add(new BatchNorm2d(64));
        layers.add(Activation.RELU);
        int inputs = 64;
        for (int width : WIDTHS) {
            layers.add(block(inputs, width));
            layers.add(Activation.RELU);
            inputs = width;
        }
        layers.add(new AdaptiveAvgPool2d(1, 1));
        layers.add(new Flatten());
        layers.add(new Linear(512, classes));
        return Sequential.of(layers);
    }

    private static Layer block(int inputs, int outputs) {
        int stride = inputs == outputs ? 1 : 2;
        Layer body =
                Sequential.of(
                        Conv2d.withoutBias(inputs, outputs, 3, stride, 1),
                        new BatchNorm2d(outputs),
                        Activation.RELU,
                        Conv2d.withoutBias(outputs, outputs, 3, 1, 1),
                        new BatchNorm2d(outputs));
        if (inputs == outputs) {
            return Residual.around(body);
        }
        Layer shortcut =
                Sequential.of(
                        Conv2d.withoutBias(inputs, outputs, 1, stride, 0),
                        new BatchNorm2d(outputs));
        return Residual.around(body, shortcut);
    }
}
