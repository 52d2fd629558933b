package dev.medley.api;

import dev.medley.api.int8.Int8Trial;
import dev.medley.api.int8.Int8Verdict;
import dev.medley.api.run.RunOptions;
import dev.medley.base.ConfigException;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.Importance;
import dev.medley.base.job.DataSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.model.GenerateOptions;
import dev.medley.inference.model.LoadedModel;
import dev.medley.inference.model.Recommender;
import dev.medley.inference.report.ImportanceOptions;
import dev.medley.onnx.OnnxModel;
import dev.medley.onnx.edge.EdgeFolder;
import dev.medley.onnx.engine.Engines;
import dev.medley.store.model.ModelDescription;
import dev.medley.trees.GrownTrees;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holds a trained model, reads data as it was trained to, and predicts.
 *
 * <p>Thread: all methods but {@link #close} may be called from several threads at once.
 */
public final class TrainedModel implements AutoCloseable {
    private final LoadedModel model;

    private TrainedModel(LoadedModel model) {
        this.model = model;
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
        return new TrainedModel(LoadedModel.load(folder, threads));
    }

    /** Where it was loaded from. */
    public Path folder() {
        return model.folder();
    }

    /** Architecture, metrics, provenance. */
    public ModelDescription description() {
        return model.description();
    }

    /** How raw data becomes the model's inputs. */
    public Encoding encoding() {
        return model.encoding();
    }

    /**
     * What the model says about encoded samples: FLOAT32, samples first, as the loss takes it
     * (logits).
     */
    public HostArray predict(Batch batch) {
        return model.predict(batch);
    }

    /**
     * New data as the model takes it, in the cache of prepared data: all samples are validation
     * samples, in file order. What may make its predictions wrong is logged as a warning.
     *
     * @throws ConfigException if the data does not fit the model
     */
    public PreparedData encode(DataSpec data, PreparationProgress progress) {
        return model.encode(data, cache(), progress);
    }

    /** The same for {@link #predict} alone: the label and the weights of tables are not read. */
    public PreparedData encodeInputs(DataSpec data, PreparationProgress progress) {
        return model.encodeInputs(data, cache(), progress);
    }

    /**
     * What recommends items to users.
     *
     * @throws ConfigException if the model has no users and items
     */
    public Recommender recommender() {
        return model.recommender();
    }

    /** Parameters and statistics by name, copies. */
    public List<NamedSpan> weights() {
        return model.weights();
    }

    /** The trees of a boosting or a forest; empty for other families. */
    public Optional<GrownTrees> trees() {
        return model.trees();
    }

    private static Path cache() {
        return RunOptions.defaultCache().resolve("data");
    }

    /**
     * What computes for this model on batches like {@code sample}: the faster of the engines, or
     * the one that is asked for. It is closed before the model.
     *
     * @param asked {@code libtorch} or {@code onnx}; null for the faster
     * @throws ConfigException if the one that is asked for cannot take the model
     */
    public Engines.Chosen engine(@Nullable String asked, Supplier<Batch> sample, Clock clock) {
        return Engines.choose(model, asked, 1, sample, clock);
    }

    /** Opens what {@link #encode} made. */
    public TrainingData open(PreparedData data) {
        return model.open(data);
    }

    /**
     * The model's metrics on data that it has not seen, in the order of training: the first is the
     * one that decided. The label has to be in the data.
     *
     * @throws ConfigException if the data does not fit the model, or outputs of the model for it
     *     are not numbers
     */
    public Map<String, Double> evaluate(Dataset dataset) {
        return model.evaluate(dataset.spec(), cache()).figures();
    }

    /**
     * As {@link #evaluate}, with all that there is to say: what the samples of each class are taken
     * for, curves, calibration, residuals. It is JSON as it stands ({@link
     * dev.medley.base.Json#pretty}).
     */
    public EvaluationReport evaluation(Dataset dataset) {
        Evaluation found = model.evaluate(dataset.spec(), cache());
        String files =
                dataset.spec().train().stream()
                        .map(file -> file.substring(file.lastIndexOf('/') + 1))
                        .collect(Collectors.joining(", "));
        return model.report(found, files.isEmpty() ? "samples" : files);
    }

    /**
     * The permutation importance of a table's columns: how much worse the first metric becomes
     * where a column's values are dealt anew among the samples.
     *
     * @param progress told of every column that is begun
     * @throws ConfigException as {@link #evaluate} does, and for a model that reads no table, or a
     *     column that is not among its inputs
     */
    public Importance importance(
            Dataset dataset, ImportanceOptions options, PreparationProgress progress) {
        return model.importance(dataset.spec(), cache(), options, progress);
    }

    /**
     * Goes on with a text, token by token.
     *
     * @param options how many tokens, and how freely they are drawn
     * @return what follows the prompt
     */
    public String generate(String prompt, GenerateOptions options) {
        return model.generate(prompt, options);
    }

    /**
     * The model as a graph that other programs run: raw columns in, answers out.
     *
     * @throws ConfigException if it cannot be written so: a class of the user's own that does not
     *     tell itself in ONNX's operators, or more than 2 GiB
     */
    public OnnxModel onnx() {
        return onnx(OnnxModel.Precision.FP32);
    }

    /**
     * The same in that precision.
     *
     * @throws ConfigException as {@link #onnx()} does, and in eight bits where there is no matrix
     *     of weights
     */
    public OnnxModel onnx(OnnxModel.Precision precision) {
        return OnnxModel.of(model, precision);
    }

    /**
     * Whether the model in eight bits is faster here than in single precision, and loses no more of
     * its deciding metric on the validation samples of its job than may be.
     *
     * @param allowed as a share of the metric
     * @throws ConfigException if it cannot be kept in eight bits, or that data is not there
     */
    public Int8Verdict int8(double allowed) {
        return Int8Trial.of(model, RunOptions.defaultCache(), allowed, Clock.system());
    }

    /**
     * Writes a model of a table as a folder that answers without Medley, by ONNX Runtime alone: the
     * graph, how a row's texts are read, and a Java class that does both.
     *
     * @param onnx of this model
     * @return its files
     * @throws ConfigException as {@link #onnx} does, for a model of other data, and where it cannot
     *     be written
     */
    public List<String> writeEdge(OnnxModel onnx, Path folder) {
        return EdgeFolder.write(model, onnx, folder);
    }

    /**
     * Writes a model of family torchscript as a file that Python loads with {@code torch.jit.load},
     * in place of an older one.
     *
     * @throws ConfigException for a model of another family, or where it cannot be written
     */
    public void writeTorchScript(Path file) {
        model.writeTorchScript(file);
    }

    @Override
    public void close() {
        model.close();
    }
}
