package dev.medley.training.worker;

import dev.medley.base.Json;
import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.time.Clock;
import dev.medley.data.encoding.Encoding;
import dev.medley.inference.explain.ReferenceSample;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.model.Coefficients;
import dev.medley.inference.model.KMeansModels;
import dev.medley.inference.model.SplitImportance;
import dev.medley.inference.pretrained.AdapterFiles;
import dev.medley.net.control.KeptState;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.file.WriteFailure;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.Provenance;
import dev.medley.worker.Delivery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a run's model, with the means to write it, to bring it to the coordinator and to
 * tell which model it holds. More than one worker may write it: the one before is not always gone
 * when another takes its place.
 *
 * <p>Thread: any; one thread writes.
 *
 * @param metrics of which the first decides
 * @param reference that lies beside the model; null for none
 */
record RunModel(
        Assignment assignment,
        List<Metric> metrics,
        @Nullable ReferenceSample reference,
        Delivery delivery,
        Clock clock) {
    /**
     * The outcome of an evaluation, as far as it is kept with the model.
     *
     * @param figures by name
     * @param threshold between two classes; null for the usual one
     */
    record Judged(Map<String, Double> figures, @Nullable DecisionThreshold threshold) {
        /** Nothing was evaluated. */
        static final Judged NOT = new Judged(Map.of(), null);

        Judged {
            figures = Map.copyOf(figures);
        }
    }

    /**
     * A model that is to be kept.
     *
     * @param weights a copy
     * @param judged by its evaluation
     * @param of which state of the run
     * @param seen what lay in the folder when it was offered
     */
    record Offer(List<NamedSpan> weights, Judged judged, KeptState of, @Nullable Object seen) {}

    /** The state of the run, of that group and after that step, in which it had these figures. */
    KeptState state(int epoch, long step, Map<String, Double> figures) {
        Double figure = figure(figures);
        return new KeptState(epoch, step, figure == null || figure.isNaN() ? null : figure);
    }

    /** Of the deciding metric; null for none. */
    @Nullable Double figure(Map<String, Double> figures) {
        return metrics.isEmpty() ? null : figures.get(metrics.get(0).name());
    }

    RunFolder run() {
        return new RunFolder(Path.of(assignment.runFolder()));
    }

    /**
     * What lies in the folder on this machine: another thing after each write; null for nothing.
     */
    @Nullable Object onDisk() {
        try {
            var folder = Files.readAttributes(run().model(), BasicFileAttributes.class);
            return List.of(String.valueOf(folder.fileKey()), folder.lastModifiedTime());
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Whether another worker has written a later model since this one was offered.
     *
     * @param own what lay there after this worker's own last write
     */
    boolean isOutdated(Offer offer, @Nullable Object own) {
        Object now = onDisk();
        return now != null
                && !now.equals(offer.seen())
                && !now.equals(own)
                && ModelFolder.said(run().model())
                        .filter(kept -> kept.provenance().step() > offer.of().step())
                        .isPresent();
    }

    /** Of which state the model is that is kept; null if none is. */
    @Nullable KeptState kept() throws IOException {
        KeptState kept = delivery.kept(run().model());
        return kept == null || !delivery.isNone()
                ? kept
                : ModelFolder.said(run().model())
                        .map(said -> state(0, said.provenance().step(), said.metrics()))
                        .orElse(kept);
    }

    /** Brings what was written into the run's folder to the coordinator. */
    void bring(KeptState of) throws IOException {
        delivery.bring(run().model(), of);
    }

    private List<ModelFolder.Beside> beside(Offer offer) throws WriteFailure {
        ModelSpec model = assignment.job().model();
        Encoding encoding = assignment.data().encoding();
        if (model instanceof ModelSpec.Trees trees) {
            String gains = SplitImportance.of(trees, encoding, offer.weights()).csv();
            return List.of(ModelFolder.Beside.text(ModelFolder.IMPORTANCE, gains));
        } else if (model instanceof ModelSpec.Pretrained pretrained) {
            return AdapterFiles.of(pretrained, offer.weights());
        } else if (model instanceof ModelSpec.TorchScript script) {
            Path file = Path.of(script.file());
            try {
                return List.of(ModelFolder.Beside.copy(ModelFolder.PROGRAM, file));
            } catch (IOException e) {
                throw WriteFailure.of(file, 0, e);
            }
        } else if (model instanceof ModelSpec.KMeans) {
            String segments = KMeansModels.segments(encoding, offer.weights()).csv();
            return List.of(ModelFolder.Beside.text(ModelFolder.CLUSTERS, segments));
        }
        return Coefficients.of(model, encoding, offer::weights).stream()
                .map(c -> ModelFolder.Beside.text(ModelFolder.COEFFICIENTS, c.csv()))
                .toList();
    }

    /** Writes it into the folder of a run. */
    void write(Offer offer, RunFolder into) throws WriteFailure {
        JobSpec job = assignment.job();
        Provenance provenance =
                new Provenance(
                        run().name(),
                        Instant.ofEpochMilli(clock.wallMillis()).toString(),
                        assignment.data().dataHash(),
                        job.seed(),
                        Json.tree(job),
                        assignment.versions(),
                        offer.of().step());
        ModelDescription description =
                new ModelDescription(
                        job.model(),
                        ReadyWorker.lossOf(assignment),
                        assignment.data().signature(),
                        Json.tree(assignment.data().encoding()),
                        offer.judged().figures(),
                        provenance,
                        offer.judged().threshold());
        List<ModelFolder.Beside> beside = new ArrayList<>(beside(offer));
        if (reference != null) {
            beside.addAll(reference.beside());
        }
        ModelFolder.write(into.model(), description, offer.weights(), beside);
    }
}
