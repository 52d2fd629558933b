package dev.medley.api;

import dev.medley.api.run.RunOptions;
import dev.medley.api.run.UserClasses;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.InUse;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.record.entry.ConfusionMatrix;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.StoredModel;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.training.evaluation.Evaluation;
import dev.medley.training.evaluation.EvaluationBlocks;
import dev.medley.training.evaluation.Evaluator;
import dev.medley.training.evaluation.Metric;
import dev.medley.training.evaluation.Metrics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Holds a trained model, reads data as it was trained to, and predicts.
 *
 * <p>Thread: all methods but {@link #close} may be called from several threads at once.
 */
public final class TrainedModel implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrainedModel.class);

    private final Path folder;
    private final ModelDescription description;
    private final Encoding encoding;
    private final Replica replica;
    private final UserClasses classes;

    private TrainedModel(
            Path folder,
            ModelDescription description,
            Encoding encoding,
            Replica replica,
            UserClasses classes) {
        this.folder = folder;
        this.description = description;
        this.encoding = encoding;
        this.replica = replica;
        this.classes = classes;
    }

    /**
     * Loads a model folder, verified, with as many threads as the machine has cores.
     *
     * @throws ConfigException if it is not one, is damaged, is of another version, or has a class
     *     that is found neither on the class path nor where it was in training
     */
    public static TrainedModel load(Path folder) {
        return load(folder, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Loads a model folder; LibTorch computes with {@code threads} threads in the whole process.
     */
    public static TrainedModel load(Path folder, int threads) {
        StoredModel stored = ModelFolder.read(folder);
        ModelDescription description = stored.description();
        Torch.start(threads);
        UserClasses classes = UserClasses.ofModel(classPath(description));
        try (UserClasses.Scope here = classes.enter()) {
            Replica replica =
                    Replica.build(
                            description.model(),
                            description.loss(),
                            List.of(),
                            description.signature(),
                            ReplicaOptions.of(description.provenance().seed(), Precision.FP32));
            replica.load(stored.weights());
            Encoding encoding = Json.bind(description.encoding(), Encoding.class);
            return new TrainedModel(folder, description, encoding, replica, classes);
        } catch (RuntimeException e) {
            classes.close();
            throw e;
        }
    }

    private static List<String> classPath(ModelDescription description) {
        return description
                .provenance()
                .job()
                .path("cluster")
                .path("classPath")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    /** Where it was loaded from. */
    public Path folder() {
        return folder;
    }

    /** Architecture, metrics, provenance. */
    public ModelDescription description() {
        return description;
    }

    /** How raw data becomes the model's inputs. */
    public Encoding encoding() {
        return encoding;
    }

    /**
     * What the model says about encoded samples: FLOAT32, samples first, as the loss takes it
     * (logits).
     */
    public HostArray predict(Batch batch) {
        return replica.forward(batch);
    }

    /**
     * New data as the model takes it, in the cache of prepared data: all samples are validation
     * samples, in file order. What may make its predictions wrong is logged as a warning.
     *
     * @throws ConfigException if the data does not fit the model
     */
    public PreparedData encode(DataSpec data, PreparationProgress progress) {
        return encoded(cache -> Datasets.encode(encoding, data, cache, progress));
    }

    /** The same for {@link #predict} alone: the label and the weights of tables are not read. */
    public PreparedData encodeInputs(DataSpec data, PreparationProgress progress) {
        return encoded(cache -> Datasets.encodeInputs(encoding, data, cache, progress));
    }

    private PreparedData encoded(Function<Path, PreparedData> with) {
        try (UserClasses.Scope here = classes.enter()) {
            PreparedData encoded = with.apply(RunOptions.defaultCache().resolve("data"));
            encoded.findings().warnings().forEach(LOG::warn);
            return encoded;
        }
    }

    /** Opens what {@link #encode} made. */
    public TrainingData open(PreparedData data) {
        try (UserClasses.Scope here = classes.enter()) {
            return TrainingData.open(data, 0, Clock.system());
        }
    }

    /**
     * The model's metrics on data that it has not seen, in the order of training: the first is the
     * one that decided. The label has to be in the data.
     *
     * @throws ConfigException if the data does not fit the model, or outputs of the model for it
     *     are not numbers
     */
    public Map<String, Double> evaluate(Dataset dataset) {
        return evaluation(dataset).metrics();
    }

    /**
     * What {@link #evaluation} finds.
     *
     * @param metrics by name, in the order of training
     * @param confusion what the samples of each class are taken for; null where there are no
     *     classes, or more than 32
     */
    public record Evaluated(Map<String, Double> metrics, @Nullable ConfusionMatrix confusion) {}

    /** As {@link #evaluate}, with what the samples of each class are taken for. */
    public Evaluated evaluation(Dataset dataset) {
        try (UserClasses.Scope here = classes.enter()) {
            Evaluation found = evaluated(dataset);
            List<String> labels = description.signature().target().labels();
            return new Evaluated(
                    found.figures(),
                    found.confusion().isEmpty()
                            ? null
                            : ConfusionMatrix.of(labels, found.confusion()));
        }
    }

    private Evaluation evaluated(Dataset dataset) {
        Signature signature = description.signature();
        List<Metric> metrics =
                metricSpecs(signature).stream()
                        .map(spec -> Metrics.of(spec, signature.target()))
                        .toList();
        PreparedData data = encode(dataset.spec(), PreparationProgress.NONE);
        if (!data.findings().targets()) {
            String label = dataset.spec().label();
            throw new ConfigException(
                    "%s: has no %s, and nothing can be evaluated without; medley predict needs none"
                            .formatted(
                                    String.join(", ", dataset.spec().train()),
                                    label == null ? "labels" : "label '" + label + "'"));
        }
        try (InUse unused = InUse.begin(data);
                TrainingData samples = open(data)) {
            if (samples.validationSamples() == 0) {
                throw new ConfigException("there are no samples in " + dataset.spec().train());
            }
            EvaluationBlocks blocks =
                    EvaluationBlocks.of(samples.validationSamples(), signature, metrics);
            TargetKind kind = signature.target().kind();
            Evaluation evaluation =
                    new Evaluator(blocks, kind, samples::validation).evaluate(replica);
            String trouble = evaluation.trouble();
            if (trouble != null) {
                throw new ConfigException(
                        String.join(", ", dataset.spec().train()) + ": " + trouble);
            }
            return evaluation;
        }
    }

    /**
     * Goes on with a text, token by token.
     *
     * @param options how many tokens, and how freely they are drawn
     * @return what follows the prompt
     */
    public String generate(String prompt, GenerateOptions options) {
        if (!(encoding instanceof TextEncoding text)) {
            throw new ConfigException(
                    folder
                            + " is no language model, it was trained on "
                            + encoding.reads()
                            + ": use medley predict");
        }
        return new TextGenerator(text, replica::forward).generate(prompt, options);
    }

    @Override
    public void close() {
        replica.close();
        classes.close();
    }

    private List<MetricSpec> metricSpecs(Signature signature) {
        TrainSpec train = Json.bind(description.provenance().job().get("train"), TrainSpec.class);
        return train.metricsFor(signature.target().kind());
    }
}
