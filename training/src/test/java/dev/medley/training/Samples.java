package dev.medley.training;

import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.random.RandomGenerator;

/** Samples and small models for each kind of target, from a seed. */
public final class Samples {
    private static final int FEATURES = 6;
    private static final int CLASSES = 5;
    private static final int CONTEXT = 8;
    private static final int VOCABULARY = 11;

    private Samples() {}

    public static Signature signature(TargetKind kind) {
        boolean isSeveral = kind == TargetKind.CLASSES || kind == TargetKind.VALUES;
        int outputs = isSeveral ? CLASSES : 1;
        if (kind == TargetKind.TOKENS) {
            return new Signature(
                    List.of(
                            new Input(
                                    "text",
                                    ElementType.INT64,
                                    List.of(CONTEXT),
                                    List.of(VOCABULARY))),
                    new Target(kind, VOCABULARY, List.of()));
        }
        return new Signature(
                List.of(new Input("x", ElementType.FLOAT32, List.of(FEATURES), List.of())),
                new Target(kind, outputs, List.of()));
    }

    /** A model for the kind, with parameters that follow from the seed. */
    public static Replica replica(TargetKind kind, long seed, Precision precision) {
        ModelSpec model =
                kind == TargetKind.TOKENS
                        ? new ModelSpec.Transformer(1, 16, 2, 0)
                        : new ModelSpec.Mlp(List.of(12, 7), ModelSpec.Activation.TANH, 0);
        return Replica.build(
                model,
                LossSpec.auto(),
                List.of(),
                signature(kind),
                ReplicaOptions.of(seed, precision));
    }

    /** So many samples. */
    public static Batch of(TargetKind kind, int samples, long seed) {
        RandomGenerator random = Seeds.generator(seed);
        if (kind == TargetKind.TOKENS) {
            HostArray text = HostArray.allocate(ElementType.INT64, samples, CONTEXT);
            HostArray next = HostArray.allocate(ElementType.INT64, samples, CONTEXT);
            LongBuffer from = text.data().buffer().asLongBuffer();
            LongBuffer to = next.data().buffer().asLongBuffer();
            for (int i = 0; i < samples * CONTEXT; i++) {
                from.put(i, random.nextInt(VOCABULARY));
                to.put(i, random.nextInt(5) == 0 ? -1 : random.nextInt(VOCABULARY));
            }
            return new Batch(List.of(text), next, samples);
        }
        HostArray x = HostArray.allocate(ElementType.FLOAT32, samples, FEATURES);
        FloatBuffer values = x.data().buffer().asFloatBuffer();
        for (int i = 0; i < samples * FEATURES; i++) {
            values.put(i, (float) random.nextGaussian());
        }
        return new Batch(List.of(x), target(kind, samples, random), samples);
    }

    private static HostArray target(TargetKind kind, int samples, RandomGenerator random) {
        if (kind == TargetKind.CLASSES) {
            HostArray target = HostArray.allocate(ElementType.INT64, samples);
            for (int i = 0; i < samples; i++) {
                target.data().buffer().asLongBuffer().put(i, random.nextInt(CLASSES));
            }
            return target;
        }
        HostArray target =
                kind == TargetKind.VALUES
                        ? HostArray.allocate(ElementType.FLOAT32, samples, CLASSES)
                        : HostArray.allocate(ElementType.FLOAT32, samples);
        for (int i = 0; i < target.count(); i++) {
            float value = kind == TargetKind.BINARY ? random.nextInt(2) : random.nextFloat();
            target.data().buffer().asFloatBuffer().put(i, value);
        }
        return target;
    }
}
