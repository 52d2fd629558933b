package dev.medley.tensor;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.OptimizerSpec.Kind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import java.util.List;

/** Takes many steps and tells how much the process grew; its main takes 10,000. */
final class MemoryFlatness {
    private MemoryFlatness() {}

    /** Prints the growth over 10,000 (or the argument's) steps each of a transformer and a CNN. */
    public static void main(String[] arguments) {
        Torch.start(1);
        int steps = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        long growth = growthBytes(steps, steps / 10);
        System.out.printf(
                "%d steps of each model: %d KiB more, %d MiB resident%n",
                steps, growth >> 10, Torch.residentBytes().orElse(0) >> 20);
    }

    /** Growth of the resident size over {@code steps} of each model, after warm-up. */
    private static long growthBytes(int steps, int warmSteps) {
        ReplicaOptions options = ReplicaOptions.of(1, Precision.FP32);
        try (Replica gpt =
                        Replica.build(
                                new ModelSpec.Transformer(2, 16, 2, 0.1),
                                LossSpec.auto(),
                                List.of(),
                                Shapes.text(11, 8),
                                options);
                Optimizer adam = gpt.optimizer(OptimizerSpec.defaults(Kind.ADAMW));
                Replica cnn =
                        Replica.build(
                                new ModelSpec.Cnn(List.of(4), 3, List.of(8), true, 0),
                                LossSpec.auto(),
                                List.of(),
                                Shapes.images(1, 8, 3),
                                options);
                Optimizer sgd = cnn.optimizer(OptimizerSpec.defaults(Kind.SGD))) {
            Batch text = Formula.batch(Formula.indices(1, 11, 4, 8), Formula.indices(2, 11, 4, 8));
            Batch images = Formula.batch(Formula.floats(1, 8, 1, 8, 8), Formula.indices(2, 3, 8));
            run(gpt, adam, text, warmSteps);
            run(cnn, sgd, images, warmSteps);
            long before = Torch.residentBytes().orElse(0);
            run(gpt, adam, text, steps);
            run(cnn, sgd, images, steps);
            return Torch.residentBytes().orElse(0) - before;
        }
    }

    private static void run(Replica replica, Optimizer optimizer, Batch batch, int steps) {
        for (int step = 1; step <= steps; step++) {
            replica.setPrecision(step % 2 == 0 ? Precision.BF16 : Precision.FP32);
            replica.zeroGradients();
            StepLoss loss = replica.forwardBackward(batch, step, ReadyListener.NONE);
            replica.gradientSquaredNorm(Arithmetic.LIBTORCH);
            optimizer.apply(1, loss.weight(), 1);
            if (step % 10 == 0) {
                replica.evaluate(batch);
            }
        }
    }
}
