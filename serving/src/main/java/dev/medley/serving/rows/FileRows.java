package dev.medley.serving.rows;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.InUse;
import dev.medley.data.dataset.PredictionRows;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.model.LoadedModel;
import dev.medley.inference.model.NewData;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.input.RowTable;
import dev.medley.serving.tensor.Values;
import dev.medley.store.file.ScratchFolder;
import dev.medley.store.file.TemporaryFolder;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of series and of sequences. They become a temporary file, which is read as {@code
 * medley predict} reads one, so that both answer the same.
 *
 * <p>Thread: any that may wait; a few files are read at the same time.
 */
public final class FileRows implements AutoCloseable {
    private static final int AT_ONCE = 2;
    private static final int PATIENCE_S = 20;
    private static final int BLOCK_SAMPLES = 64;

    /** Numbers of all samples, in memory. */
    private static final long MOST_NUMBERS = 20_000_000;

    /** Numbers that rows could become at most, on disk: a row may be a sequence of its own. */
    private static final long MOST_STORED = 100_000_000;

    private final Semaphore room = new Semaphore(AT_ONCE);
    private @Nullable Path folder;

    /**
     * What rows are for a model.
     *
     * @param samples one for each series or sequence
     * @param rows that an answer has
     */
    public record Found(EncodedRows samples, PredictionRows rows) {
        /** What each sample is called, by the columns that tell them apart. */
        public List<List<String>> names() {
            List<List<String>> texts = rows.texts();
            int each = texts.size() / Math.max(1, samples.rows());
            List<List<String>> names = new ArrayList<>();
            for (int sample = 0; sample < samples.rows() && each > 0; sample++) {
                names.add(texts.get(sample * each));
            }
            return names;
        }
    }

    /** Columns that tell series or sequences apart. */
    public static List<String> by(Encoding encoding) {
        return encoding instanceof SeriesEncoding series
                ? series.by()
                : encoding instanceof SequenceEncoding sequences ? sequences.by() : List.of();
    }

    /** Whether a model reads rows in this way. */
    public static boolean areFor(Encoding encoding) {
        return PredictionRows.areOf(encoding);
    }

    /**
     * Reads a body of CSV.
     *
     * @throws ServingFailure if it does not fit the model
     */
    public Found csv(LoadedModel model, byte[] body) {
        long lines = 1;
        for (byte each : body) {
            lines += each == '\n' ? 1 : 0;
        }
        return read(model, lines, "rows.csv", file -> Files.write(file, body));
    }

    /**
     * Reads rows of JSON.
     *
     * @throws ServingFailure if they do not fit the model
     */
    public Found rows(LoadedModel model, RowTable table) {
        check(!table.rows().isEmpty(), "there are no rows");
        return read(model, table.rows().size(), "rows.jsonl", file -> write(table, file));
    }

    private interface Content {
        void writeTo(Path file) throws IOException;
    }

    private Found read(LoadedModel model, long rows, String name, Content content) {
        long perSample = numbersOf(model.encoding().signature());
        if (model.encoding() instanceof SequenceEncoding) {
            requireFew(rows * perSample, MOST_STORED);
        }
        try {
            if (!room.tryAcquire(PATIENCE_S, TimeUnit.SECONDS)) {
                throw new ServingFailure(
                        Kind.TOO_MANY, "too many rows are read at the same time: try again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServingFailure(Kind.UNAVAILABLE, "the server ends");
        }
        try (ScratchFolder scratch = ScratchFolder.beside(folder().resolve("request"))) {
            Path file = scratch.path().resolve(name);
            content.writeTo(file);
            return read(model, perSample, file, scratch.path());
        } catch (IOException e) {
            throw new ServingFailure(
                    Kind.UNAVAILABLE, "the server has no room for temporary files: try again");
        } finally {
            room.release();
        }
    }

    private static Found read(LoadedModel model, long perSample, Path file, Path scratch)
            throws IOException {
        try {
            DataSpec spec = NewData.like(model.description(), file);
            PreparedData data =
                    model.encodeInputs(spec, scratch.resolve("cache"), PreparationProgress.NONE);
            requireFew(data.validationSamples() * perSample, MOST_NUMBERS);
            Path own = Files.createDirectory(scratch.resolve("names"));
            PredictionRows rows = PredictionRows.of(data, own);
            try (InUse unused = InUse.begin(data);
                    TrainingData samples = model.open(data)) {
                return new Found(samples(samples, data.signature()), rows);
            }
        } catch (ConfigException e) {
            String said = String.valueOf(e.getMessage()).replace(file.toString(), "the rows");
            throw ServingFailure.invalid("%s", said.replace(scratch + "/", ""));
        }
    }

    private static EncodedRows samples(TrainingData from, Signature signature) {
        int count = Math.toIntExact(from.validationSamples());
        check(count > 0, "the rows have no series or sequence that is long enough");
        List<double[]> values = new ArrayList<>();
        for (Signature.Input input : signature.inputs()) {
            values.add(new double[Math.toIntExact(count * numbersOf(input))]);
        }
        for (int at = 0; at < count; at += BLOCK_SAMPLES) {
            Batch batch = from.validation(at, Math.min(count, at + BLOCK_SAMPLES));
            for (int i = 0; i < values.size(); i++) {
                FloatBuffer floats = batch.inputs().get(i).data().buffer().asFloatBuffer();
                int first = Math.toIntExact(at * numbersOf(signature.inputs().get(i)));
                for (int v = 0; v < floats.limit(); v++) {
                    values.get(i)[first + v] = floats.get(v);
                }
            }
        }
        return new EncodedRows.Arrays(
                values.stream()
                        .map(each -> new EncodedRows.Arrays.Input(ElementType.FLOAT32, each))
                        .toList(),
                count);
    }

    private static long numbersOf(Signature signature) {
        return signature.inputs().stream().mapToLong(FileRows::numbersOf).sum();
    }

    private static long numbersOf(Signature.Input input) {
        return input.shape().stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
    }

    private static void requireFew(long numbers, long most) {
        if (numbers > most) {
            throw new ServingFailure(
                    Kind.TOO_LARGE, "too many rows for one request: medley predict takes files");
        }
    }

    private static void write(RowTable table, Path file) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            for (@Nullable Object[] row : table.rows()) {
                Map<String, @Nullable Object> named = new LinkedHashMap<>();
                for (int i = 0; i < row.length; i++) {
                    named.put(table.columns().get(i), value(row[i], table.columns().get(i)));
                }
                // Half a surrogate becomes a question mark, and no failure.
                out.write((Json.line(named) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** Whole numbers without a point: they may be the name of a series. */
    private static @Nullable Object value(@Nullable Object value, String column) {
        if (!(value instanceof Double number)) {
            return value;
        }
        check(!number.isInfinite(), "column '%s': %s is no value of a column", column, number);
        String digits = Values.digits(number);
        boolean isWhole = digits.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
        return number.isNaN() ? null : isWhole ? (Object) Long.valueOf(digits) : number;
    }

    private synchronized Path folder() throws IOException {
        Path own = folder;
        if (own == null) {
            own = TemporaryFolder.make("rows");
            folder = own;
        }
        return own;
    }

    @Override
    public synchronized void close() {
        try {
            if (folder != null) {
                Files.deleteIfExists(folder);
                folder = null;
            }
        } catch (IOException e) {
            throw new IllegalStateException("a temporary folder is left behind: " + e, e);
        }
    }
}
