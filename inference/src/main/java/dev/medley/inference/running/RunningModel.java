package dev.medley.inference.running;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.InUse;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.model.Coefficients;
import dev.medley.inference.model.LoadedModel;
import dev.medley.inference.model.NewData;
import dev.medley.inference.model.Prediction;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.Safetensors;
import dev.medley.store.file.SafetensorsWriter;
import dev.medley.store.file.WriteFailure;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.Provenance;
import dev.medley.store.model.StoredModel;
import dev.medley.tensor.model.BlockLoss;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Goes on learning where a trained model of a table ended: the same encoding, loss, optimizer and
 * batch as its job says, at the job's learning rate, with moments that stay in memory. Each
 * micro-batch is answered before it is learnt. The same rows in the same files, from the same
 * state, give the same bits.
 *
 * <p>Thread: one.
 */
public final class RunningModel implements AutoCloseable {
    private static final String OWN = "running";
    private static final String POSITION = "position";
    private static final double USUAL_DECAY = 0.9;

    /**
     * What goes with the arrays of a state.
     *
     * @param steps optimizer's steps that stand
     * @param usual the mean loss of rows before they were learnt; null where none was
     */
    private record Figures(long steps, @Nullable Double usual) {}

    private final Path origin;
    private final ModelDescription description;
    private final TrainSpec train;
    private final int threads;
    private final Replica replica;
    private final Optimizer optimizer;
    private final List<NamedSpan> state = new ArrayList<>();
    private final List<Span> before = new ArrayList<>();
    private LoadedModel champion;
    private long steps;
    private double usual = Double.NaN;

    private RunningModel(Path origin, StoredModel stored, LoadedModel champion, int threads) {
        this.origin = origin;
        this.description = stored.description();
        this.champion = champion;
        this.threads = threads;
        this.train = Json.bind(description.provenance().job().path("train"), TrainSpec.class);
        this.replica =
                Replica.build(
                        description.model(),
                        description.loss(),
                        train.groups(),
                        description.signature(),
                        ReplicaOptions.of(
                                description.provenance().seed(), TrainSpec.Precision.FP32));
        replica.load(stored.weights());
        this.optimizer = replica.optimizer(train.optimizer());
        state.add(flat("parameters", replica.parameters()));
        if (replica.buffers().bytes() > 0) {
            state.add(flat("statistics", replica.buffers()));
        }
        state.addAll(optimizer.state());
        state.forEach(span -> before.add(Span.allocate(span.data().bytes())));
    }

    private NamedSpan flat(String name, Span span) {
        var type = replica.layout().type();
        return new NamedSpan(name, type, new long[] {span.bytes() / type.bytes()}, span);
    }

    /**
     * Begins with a trained model, which is the one in production, too, and zero moments.
     *
     * @throws ConfigException if it cannot go on learning, or its folder is damaged
     */
    public static RunningModel begin(Path model, int threads) {
        StoredModel stored = ModelFolder.read(model);
        Signature.TargetKind kind = stored.description().signature().target().kind();
        ConfigException.check(
                kind == Signature.TargetKind.BINARY
                        || kind == Signature.TargetKind.CLASSES
                        || kind == Signature.TargetKind.VALUE,
                "%s predicts %s, and a running model one of some classes or a number",
                model,
                kind);
        LoadedModel champion = LoadedModel.load(model, threads);
        try {
            return new RunningModel(model, stored, champion, threads);
        } catch (RuntimeException e) {
            champion.close();
            throw e;
        }
    }

    /** What it predicts. */
    public Signature.Target target() {
        return description.signature().target();
    }

    /** Optimizer's steps that stand, since it began. */
    public long steps() {
        return steps;
    }

    /** The model in production is another one from now on: one of this model's own states. */
    public void setChampion(Path model) {
        LoadedModel next = LoadedModel.load(model, threads);
        champion.close();
        champion = next;
    }

    /**
     * Learns rows in the order of their file, a batch of the job's size at a time. A step that
     * makes things worse is taken back, and its rows count as refused.
     *
     * @param rows a table as the model's job read it, with the label
     * @param cache where they are prepared
     * @throws ConfigException if the rows do not fit the model; nothing is learnt then
     */
    public PrequentialRows learn(Path rows, Path cache) {
        PreparedData prepared =
                champion.encode(NewData.like(description, rows), cache, PreparationProgress.NONE);
        try (InUse unused = InUse.begin(prepared);
                TrainingData data = champion.open(prepared)) {
            int all = Math.toIntExact(data.validationSamples());
            double[] labels = new double[all];
            double[] running = new double[all];
            double[] produced = new double[all];
            List<String> troubles = new ArrayList<>();
            long refused = 0;
            for (int from = 0; from < all; from += train.batch()) {
                int to = (int) Math.min(all, (long) from + train.batch());
                Batch batch = data.validation(from, to);
                labels(batch, labels, from);
                answers(champion.predict(batch), labels, produced, from);
                BlockLoss answered = replica.evaluate(batch);
                answers(answered.outputs(), labels, running, from);
                StepGuard.Verdict verdict = step(batch, answered);
                if (!verdict.isKept()) {
                    refused += to - from;
                    troubles.add("%d rows were not learnt: %s".formatted(to - from, verdict.why()));
                }
            }
            return new PrequentialRows(labels, running, produced, refused, troubles);
        }
    }

    private StepGuard.Verdict step(Batch batch, BlockLoss answered) {
        keep();
        replica.zeroGradients();
        StepLoss loss = replica.forwardBackward(batch, steps + 1, ReadyListener.NONE);
        if (loss.weight() == 0) {
            return new StepGuard.Verdict(true, "none of its rows weighs anything");
        }
        double norm =
                Math.sqrt(replica.gradientSquaredNorm(optimizer.arithmetic())) / loss.weight();
        double clip = train.clipNorm() > 0 ? Math.min(1, train.clipNorm() / (norm + 1e-6)) : 1;
        optimizer.apply(1, loss.weight(), clip);
        double mean = mean(answered);
        StepGuard.Verdict verdict =
                StepGuard.judge(
                        new StepGuard.Figures(mean, norm, mean(replica.evaluate(batch)), usual));
        if (verdict.isKept()) {
            steps++;
            usual = Double.isNaN(usual) ? mean : USUAL_DECAY * usual + (1 - USUAL_DECAY) * mean;
        } else {
            takeBack();
        }
        return verdict;
    }

    private static double mean(BlockLoss loss) {
        return loss.lossSum() / loss.weight();
    }

    private void keep() {
        for (int i = 0; i < before.size(); i++) {
            before.get(i).copyFrom(state.get(i).data());
        }
    }

    private void takeBack() {
        for (int i = 0; i < before.size(); i++) {
            state.get(i).data().copyFrom(before.get(i));
        }
    }

    private void labels(Batch batch, double[] into, int from) {
        boolean isWhole = batch.target().type() == ElementType.INT64;
        ByteBuffer values = batch.target().data().buffer();
        boolean isOfSeveral = target().kind() == Signature.TargetKind.CLASSES;
        for (int row = 0; row < batch.samples(); row++) {
            double label =
                    isWhole ? values.getLong(row * Long.BYTES) : values.getFloat(row * Float.BYTES);
            into[from + row] = isOfSeveral ? PrequentialRows.labelOf(target(), (int) label) : label;
        }
    }

    private void answers(HostArray outputs, double[] labels, double[] into, int from) {
        int each = target().kind() == Signature.TargetKind.CLASSES ? target().outputs() : 1;
        ByteBuffer values = outputs.data().buffer();
        float[] output = new float[each];
        for (int row = 0; from + row < into.length && row < outputs.shape()[0]; row++) {
            for (int i = 0; i < each; i++) {
                output[i] = values.getFloat((row * each + i) * Float.BYTES);
            }
            List<Double> scores = Prediction.of(target(), null, output).scores();
            into[from + row] = PrequentialRows.answerOf(target(), scores, labels[from + row]);
        }
    }

    /**
     * Writes parameters, moments and how far it came to one file, all or nothing.
     *
     * @param position what its owner wants to know of the very same state
     */
    public void write(Path file, String position) throws WriteFailure {
        Map<String, String> metadata = new HashMap<>();
        metadata.put(OWN, Json.line(new Figures(steps, Double.isNaN(usual) ? null : usual)));
        metadata.put(POSITION, position);
        SafetensorsWriter writer = new SafetensorsWriter(metadata, state);
        AtomicFile.write(file, writer.fileBytes(), writer::writeTo);
    }

    /** The position that was written with a state. */
    public static String position(Path file) throws IOException {
        return Safetensors.open(file).metadata().getOrDefault(POSITION, "");
    }

    /**
     * Goes on from a state of this model.
     *
     * @throws ConfigException if it is of a model of other shapes
     */
    public void restore(Path file) throws IOException {
        Safetensors stored = Safetensors.open(file);
        Map<String, NamedSpan> spans = new HashMap<>();
        stored.namedSpans().forEach(span -> spans.put(span.name(), span));
        for (NamedSpan live : state) {
            NamedSpan saved = spans.get(live.name());
            if (saved == null || saved.data().bytes() != live.data().bytes()) {
                throw new ConfigException(
                        "%s: is no state of the model %s: remove it, and the running model begins"
                                        .formatted(file, origin)
                                + " anew with the one in production");
            }
            live.data().copyFrom(saved.data());
        }
        Figures figures = Json.parse(stored.metadata().getOrDefault(OWN, "{}"), Figures.class);
        steps = figures.steps();
        usual = figures.usual() == null ? Double.NaN : figures.usual();
    }

    /**
     * Writes it as a model like the one that it began with.
     *
     * @param name of what it is a state of
     * @param metrics that it reached
     * @param atMs the time now, milliseconds since 1970
     */
    public void publish(Path folder, String name, Map<String, Double> metrics, long atMs)
            throws IOException {
        Provenance was = description.provenance();
        Provenance provenance =
                new Provenance(
                        name,
                        Instant.ofEpochMilli(atMs).toString(),
                        was.dataHash(),
                        was.seed(),
                        was.job(),
                        was.versions(),
                        was.step() + steps);
        ModelDescription is =
                new ModelDescription(
                        description.model(),
                        description.loss(),
                        description.signature(),
                        description.encoding(),
                        metrics,
                        provenance,
                        description.threshold());
        List<NamedSpan> weights = replica.export();
        List<ModelFolder.Beside> beside = new ArrayList<>();
        Coefficients.of(description.model(), champion.encoding(), () -> weights)
                .ifPresent(
                        c ->
                                beside.add(
                                        ModelFolder.Beside.text(
                                                ModelFolder.COEFFICIENTS, c.csv())));
        Path reference = origin.resolve(ModelFolder.REFERENCE);
        if (Files.exists(reference)) {
            beside.add(ModelFolder.Beside.copy(ModelFolder.REFERENCE, reference));
        }
        ModelFolder.write(folder, is, weights, beside);
    }

    @Override
    public void close() {
        optimizer.close();
        replica.close();
        champion.close();
    }
}
