package dev.medley.tensor.model;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.AdaptiveAvgPool2d;
import dev.medley.tensor.layer.BatchNorm2d;
import dev.medley.tensor.layer.Conv2d;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.Flatten;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Residual;
import dev.medley.tensor.layer.Sequential;
import java.util.List;
import java.util.Map;

/** Small networks of the layers that no named family uses, as a user would write them. */
final class TestNetworks implements Architecture {
    private final String name;

    TestNetworks(Map<String, String> options) {
        name = options.getOrDefault("name", "");
    }

    static ModelSpec spec(String name) {
        return new ModelSpec.Custom(
                new ClassSpec(TestNetworks.class.getName(), Map.of("name", name)));
    }

    @Override
    public Network build(Signature signature) {
        return switch (name) {
            case "resnet" -> Network.of(resnet());
            case "factors" -> new Factors();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Layer resnet() {
        return Sequential.of(
                Conv2d.withoutBias(3, 4, 3, 1, 1),
                new BatchNorm2d(4),
                Activation.RELU,
                Residual.around(body(4, 4, 1)),
                Activation.RELU,
                Residual.around(
                        body(4, 8, 2),
                        Sequential.of(Conv2d.withoutBias(4, 8, 1, 2, 0), new BatchNorm2d(8))),
                Activation.RELU,
                new AdaptiveAvgPool2d(1, 1),
                new Flatten(),
                new Linear(8, 3));
    }

    private static Layer body(int inputs, int outputs, int stride) {
        return Sequential.of(
                Conv2d.withoutBias(inputs, outputs, 3, stride, 1),
                new BatchNorm2d(outputs),
                Activation.RELU,
                Conv2d.withoutBias(outputs, outputs, 3, 1, 1),
                new BatchNorm2d(outputs));
    }

    private static final class Factors implements Network {
        private final Embedding users = new Embedding(30, 4);
        private final Embedding items = new Embedding(20, 4);
        private final Embedding userBias = new Embedding(30, 1);
        private final Embedding itemBias = new Embedding(20, 1);

        @Override
        public void declare(Declaration declaration) {
            declaration.layer("u", users);
            declaration.layer("i", items);
            declaration.layer("bu", userBias);
            declaration.layer("bi", itemBias);
        }

        @Override
        public Tensor forward(List<Tensor> inputs, Pass pass) {
            Tensor user = inputs.get(0).select(1, 0);
            Tensor item = inputs.get(0).select(1, 1);
            Tensor product = users.forward(user, pass).times(items.forward(item, pass)).sum(1);
            return product.plus(userBias.forward(user, pass).squeeze(1))
                    .plus(itemBias.forward(item, pass).squeeze(1));
        }
    }
}
