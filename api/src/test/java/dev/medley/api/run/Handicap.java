package dev.medley.api.run;

import dev.medley.api.world.WorkerThreads;
import dev.medley.base.job.Signature;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import dev.medley.tensor.model.Architecture;
import dev.medley.tensor.model.Network;
import java.util.Map;

/**
 * A perceptron that computes its outputs several times over in the second worker launched: the same
 * numbers, from a slower machine.
 */
public final class Handicap implements Architecture {
    private final int times;

    /** Option {@code times}: how often the second worker computes. */
    public Handicap(Map<String, String> options) {
        times = isSecondLaunch() ? Integer.parseInt(options.getOrDefault("times", "1")) : 1;
    }

    /** Whether the worker that runs on this thread was the second to be launched. */
    static boolean isSecondLaunch() {
        return WorkerThreads.launch() == 2;
    }

    @Override
    public Network build(Signature signature) {
        Layer perceptron =
                Sequential.of(
                        new Linear(signature.inputs().get(0).shape().get(0), 512),
                        Activation.RELU,
                        new Linear(512, 512),
                        Activation.RELU,
                        new Linear(512, signature.target().outputs()));
        return Network.of(new Repeated(perceptron, times));
    }

    private record Repeated(Layer layer, int times) implements Layer {
        @Override
        public void declare(Declaration declaration) {
            layer.declare(declaration);
        }

        @Override
        public Tensor forward(Tensor x, Pass pass) {
            for (int i = 1; i < times; i++) {
                layer.forward(x, pass);
            }
            return layer.forward(x, pass);
        }
    }
}
