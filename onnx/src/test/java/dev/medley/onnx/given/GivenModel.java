package dev.medley.onnx.given;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.data.encoding.Encoding;
import dev.medley.inference.model.LoadedModel;
import dev.medley.inference.model.TreeModels;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.Provenance;
import dev.medley.tensor.Torch;
import dev.medley.tensor.kmeans.KMeansLearner;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.trees.TreeLearner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Trains small models in this process, and loads them from their folders. */
public final class GivenModel {
    private static final int STEPS = 8;
    private static final long SEED = 7;

    private GivenModel() {}

    /** A model after some steps, or trees, of these samples. */
    public static LoadedModel trained(Path folder, ModelSpec model, Encoding encoding, Batch batch)
            throws Exception {
        return trained(folder, model, encoding, batch, null);
    }

    public static LoadedModel trained(
            Path folder,
            ModelSpec model,
            Encoding encoding,
            Batch batch,
            @Nullable DecisionThreshold threshold)
            throws Exception {
        Torch.start(1);
        Signature signature = encoding.signature();
        List<NamedSpan> weights =
                model instanceof ModelSpec.Trees trees
                        ? grown(trees, encoding, batch)
                        : model instanceof ModelSpec.KMeans kmeans
                                ? centres(kmeans, batch)
                                : learnt(model, signature, batch);
        ModelDescription description =
                new ModelDescription(
                        model,
                        LossSpec.auto(),
                        signature,
                        Json.tree(encoding),
                        Map.of("loss", 0.5),
                        new Provenance("r", "2026", "h", SEED, Json.tree(Map.of()), Map.of(), 1),
                        threshold);
        ModelFolder.write(folder, description, weights);
        return LoadedModel.load(folder, 1);
    }

    private static List<NamedSpan> grown(ModelSpec.Trees model, Encoding encoding, Batch batch) {
        try (TreeLearner learner =
                TreeModels.learner(model, encoding, new TreeLearner.Growing(1, SEED, List.of()))) {
            learner.learnFrom(batch.samples(), taker -> taker.accept(batch));
            for (int round = 0; round < model.rounds(); round++) {
                learner.grow();
            }
            return learner.export();
        }
    }

    /** The first samples are the centres. */
    private static List<NamedSpan> centres(ModelSpec.KMeans model, Batch batch) {
        HostArray samples = batch.inputs().get(0);
        long features = samples.count() / batch.samples();
        Span centres = Span.allocate(model.k() * features * Double.BYTES);
        for (int i = 0; i < model.k() * features; i++) {
            float value = samples.data().buffer().asFloatBuffer().get(i);
            centres.buffer().asDoubleBuffer().put(i, value);
        }
        long[] shape = {model.k(), features};
        Span sizes = Span.allocate((long) model.k() * Double.BYTES);
        return List.of(
                new NamedSpan(KMeansLearner.CENTRES, ElementType.FLOAT64, shape, centres),
                new NamedSpan(
                        KMeansLearner.SIZES, ElementType.FLOAT64, new long[] {model.k()}, sizes));
    }

    private static List<NamedSpan> learnt(ModelSpec model, Signature signature, Batch batch) {
        ReplicaOptions options = ReplicaOptions.of(SEED, Precision.FP32);
        try (Replica replica =
                        Replica.build(model, LossSpec.auto(), List.of(), signature, options);
                Optimizer optimizer =
                        replica.optimizer(OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM))) {
            for (int step = 1; step <= STEPS; step++) {
                replica.zeroGradients();
                double weight = replica.forwardBackward(batch, step, ReadyListener.NONE).weight();
                optimizer.apply(1, weight, 1);
            }
            return replica.export();
        }
    }

    /** Samples of a signature, drawn: numbers about 0, tokens and classes below their count. */
    public static Batch drawn(Signature signature, int samples) {
        RandomGenerator random = Seeds.generator(3);
        List<HostArray> inputs = new ArrayList<>();
        for (Signature.Input input : signature.inputs()) {
            HostArray array = array(input.type(), samples, input.shape());
            if (input.type() == ElementType.INT64) {
                draw(array, random, input.cardinalities().get(0));
            } else {
                draw(array, random);
            }
            inputs.add(array);
        }
        Signature.Target target = signature.target();
        return new Batch(
                inputs,
                switch (target.kind()) {
                    case NONE -> array(ElementType.FLOAT32, samples, List.of());
                    case BINARY, VALUE, GRADE -> {
                        HostArray truth = array(ElementType.FLOAT32, samples, List.of());
                        draw(truth, random);
                        yield truth;
                    }
                    case VALUES -> {
                        HostArray truth =
                                array(ElementType.FLOAT32, samples, List.of(target.outputs()));
                        draw(truth, random);
                        yield truth;
                    }
                    case CLASSES -> {
                        HostArray truth = array(ElementType.INT64, samples, List.of());
                        draw(truth, random, target.outputs());
                        yield truth;
                    }
                    case TOKENS -> {
                        HostArray truth =
                                array(
                                        ElementType.INT64,
                                        samples,
                                        signature.inputs().get(0).shape());
                        draw(truth, random, target.outputs());
                        yield truth;
                    }
                },
                samples);
    }

    private static HostArray array(ElementType type, int samples, List<Integer> shape) {
        long[] all = new long[1 + shape.size()];
        all[0] = samples;
        for (int i = 0; i < shape.size(); i++) {
            all[i + 1] = shape.get(i);
        }
        return HostArray.allocate(type, all);
    }

    private static void draw(HostArray into, RandomGenerator random) {
        var floats = into.data().buffer().asFloatBuffer();
        while (floats.hasRemaining()) {
            floats.put((float) random.nextGaussian());
        }
    }

    private static void draw(HostArray into, RandomGenerator random, int below) {
        var longs = into.data().buffer().asLongBuffer();
        while (longs.hasRemaining()) {
            longs.put(random.nextInt(below));
        }
    }
}
