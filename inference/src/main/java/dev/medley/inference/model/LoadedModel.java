package dev.medley.inference.model;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.Importance;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.SpanSource;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.InUse;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.EvaluationBlocks;
import dev.medley.inference.metric.Evaluator;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.metric.Metrics;
import dev.medley.inference.metric.ReportPart;
import dev.medley.inference.pretrained.PretrainedModels;
import dev.medley.inference.report.ImportanceOptions;
import dev.medley.inference.report.PermutedColumns;
import dev.medley.inference.report.ReportParts;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.ScratchFolder;
import dev.medley.store.file.WriteFailure;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.StoredModel;
import dev.medley.tensor.Torch;
import dev.medley.tensor.factor.FactorLearner;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.kmeans.KMeansLearner;
import dev.medley.tensor.model.Decoding;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.script.ScriptedNetwork;
import dev.medley.trees.GrownTrees;
import dev.medley.trees.TreeLearner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Computes with a trained model: encodes new data as in training, predicts, evaluates, generates.
 *
 * <p>Thread: all methods but {@link #close} may be called from several threads at once.
 */
public final class LoadedModel implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadedModel.class);

    private final Path folder;
    private final ModelDescription description;
    private final Encoding encoding;
    private final Learner learner;
    private final UserClasses classes;

    private LoadedModel(
            Path folder,
            ModelDescription description,
            Encoding encoding,
            Learner learner,
            UserClasses classes) {
        this.folder = folder;
        this.description = description;
        this.encoding = encoding;
        this.learner = learner;
        this.classes = classes;
    }

    /**
     * Loads a model folder, verified; LibTorch computes with {@code threads} threads in the whole
     * process.
     *
     * @throws ConfigException if it is not one, is damaged, is of another version, or has a class
     *     that is found neither on the class path nor where it was in training
     */
    public static LoadedModel load(Path folder, int threads) {
        StoredModel stored = PretrainedModels.read(folder);
        ModelDescription description = stored.description();
        Torch.start(threads);
        UserClasses classes = UserClasses.ofModel(classPath(description));
        try (UserClasses.Scope here = classes.enter()) {
            Encoding encoding = Json.bind(description.encoding(), Encoding.class);
            Learner learner = learner(stored, encoding, threads, program(folder, description));
            return new LoadedModel(folder, description, encoding, learner, classes);
        } catch (RuntimeException e) {
            classes.close();
            throw e;
        }
    }

    /** The program of a model in TorchScript, which lies in its folder; null for others. */
    private static ModelSpec.@Nullable TorchScript program(
            Path folder, ModelDescription description) {
        return description.model() instanceof ModelSpec.TorchScript script
                ? script.at(folder.resolve(ModelFolder.PROGRAM).toString())
                : null;
    }

    private static Learner learner(
            StoredModel stored,
            Encoding encoding,
            int threads,
            ModelSpec.@Nullable TorchScript program) {
        ModelDescription description = stored.description();
        long seed = description.provenance().seed();
        if (description.model() instanceof ModelSpec.Trees trees) {
            TreeLearner learner =
                    TreeModels.learner(
                            trees,
                            encoding,
                            new TreeLearner.Growing(
                                    threads, seed, description.loss().weights().values()));
            learner.load(stored.weights());
            return learner;
        }
        if (description.model() instanceof ModelSpec.Factorization factorization) {
            FactorLearner learner =
                    FactorModels.learner(factorization, encoding, seed, 0, null, SpanSource.NATIVE);
            learner.load(stored.weights());
            return learner;
        }
        if (description.model() instanceof ModelSpec.KMeans kmeans) {
            KMeansLearner learner = KMeansModels.learner(kmeans, encoding);
            learner.load(stored.weights());
            return learner;
        }
        Replica learner =
                Replica.build(
                        program == null ? description.model() : program,
                        description.loss(),
                        List.of(),
                        description.signature(),
                        ReplicaOptions.of(seed, Precision.FP32));
        learner.load(stored.weights());
        return learner;
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
        return learner.forward(batch);
    }

    /**
     * Adds to {@code graph} what {@link #predict} computes from the arrays of the signature.
     *
     * @throws ConfigException where the model cannot be written to ONNX
     */
    public Value graph(List<Value> inputs, Graph graph) {
        return learner.graph(inputs, graph);
    }

    /**
     * Writes the trained program of a model in TorchScript, for Python.
     *
     * @throws ConfigException for a model of another family
     */
    public void writeTorchScript(Path file) {
        ModelSpec.TorchScript program = program(folder, description);
        if (program == null) {
            throw new ConfigException(
                    "%s is of family %s, and only models of family torchscript go back to Python as"
                                    .formatted(folder, description.model().family())
                            + " TorchScript: use --onnx, or read weights.safetensors");
        }
        ConfigException.check(
                !Files.isDirectory(file), "%s: is a folder; name a file, as %s/net.pt", file, file);
        try (ScratchFolder scratch = ScratchFolder.beside(file)) {
            Path whole = scratch.path().resolve("net.pt");
            ScriptedNetwork.write(program, weights(), whole);
            AtomicFile.publish(whole, file);
        } catch (WriteFailure e) {
            throw e.asConfigException();
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be written: %s".formatted(file, e), e);
        }
    }

    /** Parameters and statistics by name, copies. */
    public List<NamedSpan> weights() {
        return learner.export();
    }

    /** Its trees, if it has any. */
    public Optional<GrownTrees> trees() {
        return learner instanceof TreeLearner trees ? Optional.of(trees.grown()) : Optional.empty();
    }

    /**
     * New data as the model takes it, prepared below {@code cache}: all samples are validation
     * samples, in file order. What may make its predictions wrong is logged as a warning.
     *
     * @throws ConfigException if the data does not fit the model
     */
    public PreparedData encode(DataSpec data, Path cache, PreparationProgress progress) {
        return encoded(() -> Datasets.encode(encoding, data, cache, progress));
    }

    /** The same for {@link #predict} alone: the label and the weights of tables are not read. */
    public PreparedData encodeInputs(DataSpec data, Path cache, PreparationProgress progress) {
        PreparedData inputs = encoded(() -> Datasets.encodeInputs(encoding, data, cache, progress));
        if (description.model() instanceof ModelSpec.Factorization f && f.factors().hasUsers()) {
            try (TrainingData samples = open(inputs)) {
                UnseenPairs.of(f.factors(), (TableEncoding) encoding, samples).forEach(LOG::warn);
            }
        }
        return inputs;
    }

    /**
     * What recommends items to users.
     *
     * @throws ConfigException if the model has no users and items, or other columns beside them, or
     *     does not say what users have
     */
    public Recommender recommender() {
        ConfigException.check(
                learner instanceof FactorLearner && encoding instanceof TableEncoding,
                "%s has no users and items: items are recommended by model.family=factorization",
                folder);
        return Recommender.of(
                (ModelSpec.Factorization) description.model(),
                (TableEncoding) encoding,
                (FactorLearner) learner);
    }

    private PreparedData encoded(Supplier<PreparedData> with) {
        try (UserClasses.Scope here = classes.enter()) {
            PreparedData encoded = with.get();
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
     * The model's metrics on data that it has not seen, in the order of training. The label has to
     * be in the data.
     *
     * @param cache where the data is prepared
     * @throws ConfigException if the data does not fit the model, or outputs of the model for it
     *     are not numbers
     */
    public Evaluation evaluate(DataSpec spec, Path cache) {
        return onSamples(
                spec,
                cache,
                PreparationProgress.NONE,
                (samples, metrics) -> {
                    long count = samples.validationSamples();
                    Evaluator evaluator =
                            evaluator(
                                    samples,
                                    metrics,
                                    Metrics.areOfRankings(metrics)
                                            ? List.of()
                                            : ReportParts.trained(
                                                    description.signature(),
                                                    count,
                                                    description.threshold()));
                    return sound(evaluator.evaluate(learner), spec);
                });
    }

    /** The report of an evaluation; {@code of} says what was evaluated, as a phrase. */
    public EvaluationReport report(Evaluation evaluation, String of) {
        EvaluationReport report =
                ReportParts.report(evaluation, description.signature().target(), of);
        if (learner instanceof KMeansLearner centres) {
            return report.with(KMeansModels.segments(encoding, centres.export()));
        }
        return Coefficients.of(description.model(), encoding, learner::export)
                .map(coefficients -> report.with(coefficients.largest()))
                .orElse(report);
    }

    /**
     * How much worse the first metric becomes where a column is permuted; see {@link
     * PermutedColumns}.
     *
     * @param cache where the data is prepared
     * @param progress told of every column that is begun
     * @throws ConfigException as {@link #evaluate} does, and for a model that reads no table, or a
     *     column that is not among its inputs
     */
    public Importance importance(
            DataSpec spec, Path cache, ImportanceOptions options, PreparationProgress progress) {
        PermutedColumns columns = PermutedColumns.of(folder, encoding, options);
        return onSamples(
                spec,
                cache,
                progress,
                (samples, metrics) ->
                        columns.importance(
                                samples.validationSamples(),
                                metrics.get(0),
                                samples::validation,
                                source ->
                                        sound(
                                                evaluator(samples, metrics.subList(0, 1), List.of())
                                                        .of(source)
                                                        .evaluate(learner),
                                                spec),
                                progress));
    }

    private static Evaluation sound(Evaluation evaluation, DataSpec spec) {
        String trouble = evaluation.trouble();
        if (trouble != null) {
            throw new ConfigException(String.join(", ", spec.train()) + ": " + trouble);
        }
        return evaluation;
    }

    private <T> T onSamples(
            DataSpec spec,
            Path cache,
            PreparationProgress progress,
            BiFunction<TrainingData, List<Metric>, T> use) {
        List<Metric> metrics = metrics(); // Before the data is read, which may take long.
        PreparedData data = encode(spec, cache, progress);
        String files = String.join(", ", spec.train());
        if (!data.findings().targets()) {
            String label = spec.label();
            throw new ConfigException(
                    "%s: has no %s, and nothing can be evaluated without; medley predict needs none"
                            .formatted(files, label == null ? "labels" : "label '" + label + "'"));
        }
        try (UserClasses.Scope here = classes.enter();
                InUse unused = InUse.begin(data);
                TrainingData samples = open(data)) {
            ConfigException.check(
                    samples.validationSamples() > 0, "there are no samples in %s", spec.train());
            return use.apply(samples, metrics);
        }
    }

    private List<Metric> metrics() {
        Target target = description.signature().target();
        JsonNode train = description.provenance().job().get("train"); // Null if trained elsewhere.
        List<TrainSpec.MetricSpec> asked =
                train == null
                        ? TrainSpec.usualMetrics(target.kind())
                        : Json.bind(train, TrainSpec.class).metricsFor(target);
        try (UserClasses.Scope here = classes.enter()) {
            return asked.stream().map(spec -> Metrics.of(spec, target)).toList();
        }
    }

    private Evaluator evaluator(
            TrainingData samples, List<Metric> metrics, List<ReportPart> parts) {
        Signature signature = description.signature();
        EvaluationBlocks blocks =
                EvaluationBlocks.of(samples.validationSamples(), signature, metrics, parts);
        return new Evaluator(blocks, signature.target().kind(), samples::validation);
    }

    /** Goes on with a text, token by token: what follows the prompt. */
    public String generate(String prompt, GenerateOptions how) {
        return generate(prompt, how, piece -> true);
    }

    /**
     * The same, piece by piece.
     *
     * @param goesOn told after each token what text it added, which may be none as long as a
     *     character is not whole; whether another token is wanted
     */
    public String generate(String prompt, GenerateOptions how, Predicate<String> goesOn) {
        if (!(encoding instanceof TextEncoding text)) {
            throw new ConfigException(
                    folder
                            + " is no language model, it was trained on "
                            + encoding.reads()
                            + ": use medley predict");
        }
        if (learner instanceof Replica replica && replica.goesOn()) {
            // A pretrained model has positions beyond the windows that it was tuned on.
            int context =
                    description.model() instanceof ModelSpec.Pretrained pretrained
                            ? pretrained.architecture().positions()
                            : text.context();
            try (Decoding decoding = replica.decoding(context)) {
                return new TextGenerator(text, context, decoding::next)
                        .generate(prompt, how, goesOn);
            }
        }
        Function<long[], float[]> windows = TextGenerator.byWindows(text, learner::forward);
        return new TextGenerator(text, text.context(), windows).generate(prompt, how, goesOn);
    }

    @Override
    public void close() {
        learner.close();
        classes.close();
    }
}
