package dev.medley.serving.host;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.engine.Engines;
import dev.medley.onnx.engine.Pace;
import dev.medley.onnx.engine.PacedWork;
import dev.medley.serving.answer.AnswerMaker;
import dev.medley.serving.batch.BatchFigures;
import dev.medley.serving.batch.Batcher;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.explain.RowExplainer;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.input.InputPort;
import dev.medley.serving.input.InputReader;
import dev.medley.store.model.ModelDescription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Holds one version of a model in memory, which answers. Who uses it holds it; it is closed when it
 * is retired and the last of them has let it go.
 *
 * <p>Thread: any.
 */
public final class ServedModel {
    private static final int FEWEST_TERMS = 256;
    private static final int SHORT_ROWS = 256;
    private static final String MEASURED_OF = "; so it was for version ";

    /** The first model of a process brings its libraries along, which are not its own memory. */
    private static final AtomicBoolean IS_FIRST = new AtomicBoolean(true);

    private final ModelName name;
    private final LoadedModel model;
    private final Engines.Chosen engine;
    private final InputReader reader;
    private final AnswerMaker answers;
    private final Batcher batcher;
    private final RowExplainer explainer;
    private final BatchFigures batches = new BatchFigures();
    private final RequestFigures requests = new RequestFigures();

    /** One for being served, and one for each who uses it. */
    private final AtomicInteger holders = new AtomicInteger(1);

    private final AtomicBoolean isRetired = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long diskBytes;
    private volatile long bytes;

    private ServedModel(
            ModelName name,
            LoadedModel model,
            Engines.Chosen engine,
            ServeLimits limits,
            Clock clock) {
        this.name = name;
        this.model = model;
        this.engine = engine;
        diskBytes = MemoryBudget.onDisk(model.folder());
        bytes = diskBytes;
        Encoding encoding = roomy(model.encoding());
        Signature signature = encoding.signature();
        reader = InputReader.of(encoding);
        answers = new AnswerMaker(signature.target(), model.description().threshold(), encoding);
        explainer = new RowExplainer(model, encoding, answers, clock);
        batcher =
                new Batcher(
                        new Batcher.Work(
                                name.name(),
                                engine.engine(),
                                signature,
                                () ->
                                        encoding instanceof CustomEncoding
                                                ? null
                                                : TrainingData.decoder(encoding)),
                        limits.batches(),
                        limits.copies(),
                        batches,
                        clock);
    }

    /**
     * Loads a model folder, and chooses its engine by a trial, which warms it up as well.
     *
     * @param pace of all that
     * @param answering the version that answers now; one of the same form gets its engine without a
     *     trial. Null for none
     * @throws ConfigException if it is none, is damaged, or cannot be served
     */
    public static ServedModel load(
            ModelName name,
            Path folder,
            ServeLimits limits,
            Pace pace,
            @Nullable ServedModel answering,
            Clock clock) {
        long before = MemoryBudget.residentBytes();
        PacedWork work = PacedWork.of(pace, clock);
        LoadedModel model = work.done(() -> LoadedModel.load(folder, limits.threads()));
        Engines.Chosen engine = null;
        try {
            Engines.Chosen known =
                    limits.engine() == null && answering != null && isAlike(answering.model, model)
                            ? measured(answering)
                            : null;
            engine =
                    known != null
                            ? Engines.chooseAs(known, model, limits.threads(), work)
                            : Engines.choose(model, limits.engine(), limits.threads(), work);
            ServedModel served = new ServedModel(name, model, engine, limits, clock);
            long grown = MemoryBudget.residentBytes() - before;
            served.bytes =
                    IS_FIRST.compareAndSet(true, false)
                            ? 2 * served.diskBytes
                            : Math.max(served.diskBytes, grown);
            return served;
        } catch (RuntimeException | Error e) {
            if (engine != null) {
                engine.engine().close();
            }
            model.close();
            throw e;
        }
    }

    /** Whether both compute the same, with other numbers: what was measured of one holds. */
    private static boolean isAlike(LoadedModel one, LoadedModel other) {
        return one.description().model().equals(other.description().model())
                && shapes(one).equals(shapes(other));
    }

    private static List<Object> shapes(LoadedModel model) {
        Signature signature = model.description().signature();
        List<Object> all = new ArrayList<>();
        for (Signature.Input input : signature.inputs()) {
            all.add(List.of(input.name(), input.type(), input.shape()));
        }
        all.add(List.of(signature.target().kind(), signature.target().outputs()));
        return all;
    }

    private static Engines.Chosen measured(ServedModel of) {
        String why = of.engine.why();
        return new Engines.Chosen(
                of.engine.engine(),
                why.contains(MEASURED_OF) ? why : why + MEASURED_OF + of.name.version());
    }

    /** With room for longer texts than training had, of which no word may be left out unsaid. */
    private static Encoding roomy(Encoding encoding) {
        if (!(encoding instanceof TableEncoding table) || table.ofTerms().isEmpty()) {
            return encoding;
        }
        List<Integer> room = new ArrayList<>();
        for (SparseColumn column : table.ofTerms()) {
            room.add(Math.min(column.width(), Math.max(FEWEST_TERMS, 4 * column.slots())));
        }
        return table.withSlots(room);
    }

    /** What it is called. */
    public ModelName name() {
        return name;
    }

    /** Architecture, metrics, provenance. */
    public ModelDescription description() {
        return model.description();
    }

    /** The model itself, for what goes beyond predictions. */
    public LoadedModel model() {
        return model;
    }

    /** Which engine computes, and why. */
    public String engine() {
        return engine.why();
    }

    /** The name of that engine. */
    public String engineName() {
        return engine.engine().name();
    }

    /** What it takes. */
    public List<InputPort> inputs() {
        return reader.ports();
    }

    /** What it gives. */
    public List<InputPort> outputs() {
        return answers.ports();
    }

    /** How it reads arrays. */
    public InputReader reader() {
        return reader;
    }

    /** How it makes answers. */
    public AnswerMaker answers() {
        return answers;
    }

    /** What explains its answers. */
    public RowExplainer explainer() {
        return explainer;
    }

    /** What its batches took. */
    public BatchFigures batches() {
        return batches;
    }

    /** What its callers saw. */
    public RequestFigures requests() {
        return requests;
    }

    /** Whether an answer is written so soon that an event loop may do it. */
    public boolean isShort(EncodedRows rows) {
        return rows.rows() <= SHORT_ROWS
                && description().signature().target().kind() != TargetKind.TOKENS;
    }

    /**
     * Bytes that this process grew by when it was loaded, but not less than its files have; twice
     * those for the first model of a process.
     */
    public long bytes() {
        return bytes;
    }

    /** Bytes of its files. */
    public long diskBytes() {
        return diskBytes;
    }

    /** Rows that wait. */
    public int waitingRows() {
        return batcher.waitingRows();
    }

    /**
     * Computes rows.
     *
     * @param deadlineNs of the clock, after which nobody waits for them
     */
    public CompletableFuture<Computed> compute(EncodedRows rows, long deadlineNs) {
        return batcher.submit(rows, deadlineNs);
    }

    /** Whether it could be held: false once it is gone. */
    boolean hold() {
        while (true) {
            int now = holders.get();
            if (now == 0) {
                return false;
            }
            if (holders.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** Lets it go; the last one closes it. */
    void release() {
        if (holders.decrementAndGet() == 0) {
            // Not on a thread of its own, which the end of a batch may be.
            Thread closer = new Thread(this::end, "medley-unload-" + name.name());
            closer.setDaemon(true);
            closer.start();
        }
    }

    /** Nobody new gets it; it is closed when the last one has let it go. */
    void retire() {
        if (isRetired.compareAndSet(false, true)) {
            release();
        }
    }

    private void end() {
        try {
            batcher.close();
        } finally {
            try {
                engine.engine().close();
            } finally {
                try {
                    reader.close();
                } finally {
                    try {
                        model.close();
                    } finally {
                        ended.countDown(); // Whoever waits goes on, whatever could not be closed.
                    }
                }
            }
        }
    }

    /** Returns when it is closed, which needs that it is retired. */
    void awaitEnd() {
        boolean isInterrupted = false;
        while (ended.getCount() > 0) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
