package dev.medley.api.run;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.model.Architecture;
import dev.medley.tensor.model.Network;
import dev.medley.tensor.model.Networks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Computes as {@link SmallJob}'s model, and holds batches of training back between two calls of a
 * test.
 *
 * <p>What comes meanwhile from outside comes before the run is over, with few steps and however
 * quick the machine is. The first batches of each worker are not held back.
 */
public final class Lingering implements Architecture {
    private static volatile CountDownLatch held = new CountDownLatch(0);

    private final long mostMs;
    private int freeBatches;

    /** Options {@code ms}: for how long at most, and {@code free}: how many batches are not. */
    public Lingering(Map<String, String> options) {
        mostMs = Long.parseLong(options.get("ms"));
        freeBatches = Integer.parseInt(options.get("free"));
    }

    /** The model of a job; a batch after so many is held back for so long at most. */
    static ModelSpec of(long mostMs, int freeBatches) {
        Map<String, String> options =
                Map.of("ms", Long.toString(mostMs), "free", Integer.toString(freeBatches));
        return new ModelSpec.Custom(new ClassSpec(Lingering.class.getName(), options));
    }

    /** Before a run whose batches are held back. */
    static void begin() {
        held = new CountDownLatch(1);
    }

    /** No batch is held back any more. */
    static void end() {
        held.countDown();
    }

    @Override
    public Network build(Signature signature) {
        Network network = Networks.build(new ModelSpec.Transformer(1, 32, 2, 0.1), signature);
        return new Network() {
            @Override
            public void declare(Declaration declaration) {
                network.declare(declaration);
            }

            @Override
            public Tensor forward(List<Tensor> inputs, Pass pass) {
                if (pass.isTraining() && --freeBatches < 0) {
                    hold();
                }
                return network.forward(inputs, pass);
            }
        };
    }

    private void hold() {
        try {
            held.await(mostMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
