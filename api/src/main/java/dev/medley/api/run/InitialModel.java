package dev.medley.api.run;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.FamilyRules;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.record.folder.BeginningRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.StoredModel;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.model.Networks;
import dev.medley.training.worker.InitialWeights;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the trained model that a run begins with: its parameters, and its encoding, without which
 * they mean nothing.
 */
final class InitialModel {
    private static final String STANDARD_ERROR = ".standard_error";

    private final BeginningRecord record;
    private final Map<String, List<Long>> shapes;

    private InitialModel(BeginningRecord record, Map<String, List<Long>> shapes) {
        this.record = record;
        this.shapes = shapes;
    }

    /** That of a new run, or that which a run to go on with had begun with; null if it has none. */
    static @Nullable InitialModel of(RunOptions options) {
        if (options.resume() != null) {
            RunFolder run = RunFolder.at(options.resume());
            return BeginningRecord.of(run).map(begun -> resumed(run, begun)).orElse(null);
        }
        return options.initialModel() == null ? null : read(options.initialModel());
    }

    /** Every byte of the model is read here, before anything is made for the run. */
    private static InitialModel read(Path folder) {
        StoredModel stored = ModelFolder.read(folder);
        Map<String, List<Long>> shapes = new LinkedHashMap<>();
        for (NamedSpan array : stored.weights()) {
            if (array.name().endsWith(STANDARD_ERROR)) {
                continue; // It tells of the fit, and is nothing to begin with.
            }
            shapes.put(array.name(), LongStream.of(array.shape()).boxed().toList());
        }
        return new InitialModel(
                new BeginningRecord(
                        folder.toAbsolutePath().normalize().toString(),
                        stored.weightsSha256(),
                        stored.description().encoding()),
                shapes);
    }

    /** The run's checkpoints hold its parameters; the model is needed as long as there is none. */
    private static InitialModel resumed(RunFolder run, BeginningRecord begun) {
        if (CheckpointStore.latest(run.checkpoints()).usable().isPresent()) {
            return new InitialModel(begun, Map.of());
        }
        InitialModel found = again(run, begun);
        check(
                found.record.weightsSha256().equals(begun.weightsSha256()),
                "%s has no checkpoint and would begin again with the model %s, but that has changed"
                        + " since (its weights have SHA-256 %s, not %s): put it back as it was, or"
                        + " train anew",
                run.path(),
                begun.model(),
                found.record.weightsSha256(),
                begun.weightsSha256());
        return new InitialModel(begun, found.shapes);
    }

    private static InitialModel again(RunFolder run, BeginningRecord begun) {
        try {
            return read(Path.of(begun.model()));
        } catch (ConfigException e) {
            throw new ConfigException(
                    "%s has no checkpoint and would begin again with the model %s, but: %s"
                            .formatted(run.path(), begun.model(), e.getMessage()),
                    e);
        }
    }

    /** The job's data, split as it is without a model, encoded as the model's was. */
    PreparedData prepare(JobSpec job, Path cache, PreparationProgress progress) {
        Encoding encoding = Json.bind(record.encoding(), Encoding.class);
        return Datasets.prepareAs(encoding, job.data(), job.seed(), cache, progress)
                .noting("encoded as the model " + record.model() + " was: the run began with it");
    }

    /**
     * The job's model has the very parameters of this one; a {@link ConfigException} names the
     * first that differs.
     */
    void requireFit(JobSpec job, Signature signature) {
        FamilyRules.requireBatches(job, "--init " + record.model());
        if (shapes.isEmpty()) {
            return;
        }
        ParameterLayout layout = Networks.layout(job.model(), job.train().groups(), signature);
        List<Slot> slots = new ArrayList<>(layout.slots());
        slots.addAll(layout.statistics());
        for (Slot slot : slots) {
            List<Long> shape = shapes.get(slot.name());
            check(
                    slot.shape().equals(shape),
                    "model.family=%s: the job's model has %s of %s, the initial model %s has %s:"
                            + " use the model section that it was trained with, or train without"
                            + " --init",
                    job.model().family(),
                    slot.name(),
                    words(slot.shape()),
                    record.model(),
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
                    record.model(),
                    words(array.getValue()));
        }
    }

    /** Keeps it with a run that is about to begin. */
    void keep(RunFolder run) {
        record.write(run);
    }

    /** What workers begin with. */
    InitialWeights weights() {
        return new InitialWeights(record.model(), record.weightsSha256());
    }

    private static String words(List<Long> shape) {
        return shape.isEmpty()
                ? "one value"
                : shape.stream().map(String::valueOf).collect(Collectors.joining("x"));
    }
}
