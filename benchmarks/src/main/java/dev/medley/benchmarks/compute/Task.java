package dev.medley.benchmarks.compute;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.OptimizerSpec.Kind;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.loss.LossFunctions;
import dev.medley.tensor.model.Network;
import dev.medley.tensor.model.Networks;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import java.util.List;
import java.util.Locale;

/** The peer's synthetic tasks: model, batch and optimizer. */
enum Task {
    MLP(128, numbers(784), classes(10)) {
        @Override
        Network network() {
            ModelSpec spec = new ModelSpec.Mlp(List.of(512, 512), ModelSpec.Activation.RELU, 0);
            return Networks.build(spec, signature());
        }
    },
    RESNET18(32, numbers(3, 32, 32), classes(10)) {
        @Override
        Network network() {
            return Network.of(ResNet18.layers(10));
        }

        @Override
        OptimizerSpec optimizer() {
            return new OptimizerSpec(Kind.SGD, 0.01, 0.9, false, 0.9, 0.999, 1e-8, 0);
        }
    },
    GPT(8, tokens(4096, 128), new Target(TargetKind.TOKENS, 4096, List.of())) {
        @Override
        Network network() {
            return Networks.build(new ModelSpec.Transformer(4, 256, 4, 0), signature());
        }

        @Override
        OptimizerSpec optimizer() {
            return OptimizerSpec.defaults(Kind.ADAMW);
        }
    },
    LSTM(32, numbers(64, 256), classes(10)) {
        @Override
        Network network() {
            return Network.of(new LstmClassifier(256, 256, 2, new Linear(256, 10)));
        }
    },
    MF(
            8192,
            new Input("pair", ElementType.INT64, List.of(2), List.of(6000, 4000)),
            new Target(TargetKind.VALUE, 1, List.of())) {
        @Override
        Network network() {
            return new MatrixFactorisation(6000, 4000, 64);
        }
    };

    private final int batch;

    @SuppressWarnings("ImmutableEnumChecker") // A record of lists that are copied.
    private final Signature signature;

    Task(int batch, Input input, Target target) {
        this.batch = batch;
        this.signature = new Signature(List.of(input), target);
    }

    abstract Network network();

    OptimizerSpec optimizer() {
        return OptimizerSpec.defaults(Kind.ADAM);
    }

    int batch() {
        return batch;
    }

    Signature signature() {
        return signature;
    }

    /** The name that the peer knows. */
    String peerName() {
        return "synthetic-" + name().toLowerCase(Locale.ROOT);
    }

    Replica replica(ReplicaOptions options) {
        return Replica.of(
                network(),
                LossFunctions.of(LossSpec.auto(), signature.target()),
                signature,
                options);
    }

    private static Input numbers(Integer... shape) {
        return new Input("x", ElementType.FLOAT32, List.of(shape), List.of());
    }

    private static Input tokens(int vocabulary, int context) {
        return new Input("text", ElementType.INT64, List.of(context), List.of(vocabulary));
    }

    private static Target classes(int count) {
        return new Target(TargetKind.CLASSES, count, List.of());
    }
}
