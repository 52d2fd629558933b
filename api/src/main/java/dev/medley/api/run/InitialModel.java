package dev.medley.api.run;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.FamilyRules;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.token.Tokens;
import dev.medley.inference.pretrained.PretrainedModels;
import dev.medley.inference.pretrained.TransformersFolder;
import dev.medley.record.folder.BeginningRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.tensor.language.PretrainedParts;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.model.Networks;
import dev.medley.training.worker.InitialWeights;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the trained model that a run begins with: its parameters, and its encoding, without which
 * they mean nothing.
 */
final class InitialModel {
    private static final String STANDARD_ERROR = ".standard_error";

    private final String model;
    private final String weightsSha256;
    private final @Nullable Encoding encoding;
    private final @Nullable Tokens tokens;
    private final Map<String, List<Long>> shapes;

    private InitialModel(
            String model,
            String weightsSha256,
            @Nullable Encoding encoding,
            @Nullable Tokens tokens,
            Map<String, List<Long>> shapes) {
        this.model = model;
        this.weightsSha256 = weightsSha256;
        this.encoding = encoding;
        this.tokens = tokens;
        this.shapes = shapes;
    }

    /** That of a new run, or that which a run to go on with had begun with; null if it has none. */
    static @Nullable InitialModel of(RunOptions options, JobSpec job) {
        if (options.resume() != null) {
            RunFolder run = RunFolder.at(options.resume());
            return BeginningRecord.of(run).map(begun -> resumed(run, begun, job)).orElse(null);
        } else if (job.model() instanceof ModelSpec.Pretrained pretrained) {
            check(
                    options.initialModel() == null,
                    "--init %s: the job begins with model.from=%s: leave one of them out",
                    options.initialModel(),
                    pretrained.from());
            return of(job);
        }
        if (options.initialModel() == null) {
            return null;
        }
        FamilyRules.requireBatches(job, "--init " + options.initialModel());
        return read(options.initialModel());
    }

    /** That of a job that names a pretrained model; null for another. */
    static @Nullable InitialModel of(JobSpec job) {
        return job.model() instanceof ModelSpec.Pretrained pretrained
                ? read(Path.of(pretrained.from()))
                : null;
    }

    /** The job with what lies in the folder that it names; itself if it names none. */
    static JobSpec found(JobSpec job) {
        return job.model() instanceof ModelSpec.Pretrained pretrained && pretrained.found() == null
                ? job.with(
                        pretrained.with(
                                TransformersFolder.open(Path.of(pretrained.from())).found()))
                : job;
    }

    /** Every byte of the model is read here, before anything is made for the run. */
    private static InitialModel read(Path folder) {
        PretrainedModels.Beginning stored = PretrainedModels.toBeginWith(folder);
        Map<String, List<Long>> shapes = new LinkedHashMap<>();
        for (NamedSpan array : stored.weights()) {
            if (array.name().endsWith(STANDARD_ERROR)) {
                continue; // It tells of the fit, and is nothing to begin with.
            }
            shapes.put(array.name(), LongStream.of(array.shape()).boxed().toList());
        }
        return new InitialModel(
                folder.toAbsolutePath().normalize().toString(),
                stored.sha256(),
                stored.encoding(),
                stored.tokens(),
                shapes);
    }

    /**
     * The run's checkpoints hold its parameters; the model is needed as long as there is none, and
     * always where only adapters are learnt.
     */
    private static InitialModel resumed(RunFolder run, BeginningRecord begun, JobSpec job) {
        boolean isAdapted =
                job.model() instanceof ModelSpec.Pretrained model && model.lora() != null;
        if (!isAdapted && CheckpointStore.latest(run.checkpoints()).usable().isPresent()) {
            return as(begun, Map.of());
        }
        String needs =
                isAdapted ? "learns adapters of" : "has no checkpoint and would begin again with";
        InitialModel found = again(run, begun, needs);
        check(
                found.weightsSha256.equals(begun.weightsSha256()),
                "%s %s the model %s, but that has changed since (its"
                        + " weights have SHA-256 %s, not %s): put it back as it was, or train anew",
                run.path(),
                needs,
                begun.model(),
                found.weightsSha256,
                begun.weightsSha256());
        return as(begun, found.shapes);
    }

    private static InitialModel as(BeginningRecord begun, Map<String, List<Long>> shapes) {
        Encoding encoding = Json.bind(begun.encoding(), Encoding.class);
        return new InitialModel(begun.model(), begun.weightsSha256(), encoding, null, shapes);
    }

    private static InitialModel again(RunFolder run, BeginningRecord begun, String needs) {
        try {
            return read(Path.of(begun.model()));
        } catch (ConfigException e) {
            throw new ConfigException(
                    "%s %s the model %s, but: %s"
                            .formatted(run.path(), needs, begun.model(), e.getMessage()),
                    e);
        }
    }

    /** The job's data, split as it is without a model, encoded as the model's was. */
    PreparedData prepare(JobSpec job, Path cache, PreparationProgress progress) {
        DataSpec data = job.data();
        PreparedData prepared;
        if (encoding != null) {
            prepared = Datasets.prepareAs(encoding, data, job.seed(), cache, progress);
        } else if (data.text().column() != null) {
            prepared = Datasets.prepareWith(own(), data, job.seed(), cache, progress);
        } else {
            TextEncoding windows = TextEncoding.of(own(), data.text().context());
            prepared = Datasets.prepareAs(windows, data, job.seed(), cache, progress);
        }
        return prepared.noting("encoded as the model " + model + " was: the run began with it");
    }

    private Tokens own() {
        return Objects.requireNonNull(tokens, "a model without an encoding has tokens");
    }

    /**
     * The job's model has the very parameters of this one; a {@link ConfigException} names the
     * first that differs.
     */
    void requireFit(JobSpec job, Signature signature) {
        FamilyRules.requireBatches(job, "--init " + model);
        if (shapes.isEmpty()) {
            return;
        }
        ParameterLayout layout = Networks.layout(job.model(), job.train().groups(), signature);
        List<Slot> slots = new ArrayList<>(layout.slots());
        slots.addAll(layout.statistics());
        slots.addAll(layout.constants());
        for (Slot slot : slots) {
            List<Long> shape = shapes.get(slot.name());
            check(
                    slot.shape().equals(shape) || isNew(job, slot.name()),
                    "model.family=%s: the job's model has %s of %s, the initial model %s has %s:"
                            + " use the model section that it was trained with, or train without"
                            + " --init",
                    job.model().family(),
                    slot.name(),
                    words(slot.shape()),
                    model,
                    shape == null ? "none of that name" : words(shape));
        }
        List<String> names = slots.stream().map(Slot::name).toList();
        for (Map.Entry<String, List<Long>> array : shapes.entrySet()) {
            check(
                    names.contains(array.getKey()),
                    "model.family=%s: the job's model has no %s, the initial model %s has one of"
                            + " %s: use the model section that it was trained with, or train"
                            + " without --init",
                    job.model().family(),
                    array.getKey(),
                    model,
                    words(array.getValue()));
        }
    }

    private static boolean isNew(JobSpec job, String parameter) {
        return job.model() instanceof ModelSpec.Pretrained
                && (PretrainedParts.isAdapter(parameter) || PretrainedParts.isHead(parameter));
    }

    /** Keeps it with a run that is about to begin on that data. */
    void keep(RunFolder run, PreparedData data) {
        new BeginningRecord(model, weightsSha256, Json.tree(data.encoding())).write(run);
    }

    /** What workers begin with. */
    InitialWeights weights() {
        return new InitialWeights(model, weightsSha256);
    }

    private static String words(List<Long> shape) {
        return shape.isEmpty()
                ? "one value"
                : shape.stream().map(String::valueOf).collect(Collectors.joining("x"));
    }
}
