package dev.medley.inference.explain;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.SampleKey;
import dev.medley.data.table.RowEncoder;
import dev.medley.store.file.Safetensors;
import dev.medley.store.model.ModelFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Rows of reference beside a model: what its columns are like, from rows that it was judged by.
 * Each column is dealt anew among the rows, so that none of them is a row of the data.
 */
public final class ReferenceSample {
    private static final int MOST_ROWS = 100;
    private static final String CHECKSUM = "checksum";
    private static final String OF_NOBODY = "a row without values";

    private final TableEncoding encoding;
    private final long seed;
    private volatile @Nullable List<double[][]> rows;

    /** Of rows that are to be {@link #seen}. */
    public ReferenceSample(TableEncoding encoding, long seed) {
        this.encoding = encoding;
        this.seed = seed;
    }

    /** Whether a model wants one: trees know what came to each of their nodes. */
    public static boolean isFor(ModelSpec model) {
        return !(model instanceof ModelSpec.Trees);
    }

    /** Takes some of these rows, if it has as many as it wants from none yet. Any thread. */
    public void seen(Batch batch) {
        List<double[][]> before = rows;
        if (before != null && before.size() >= Math.min(MOST_ROWS, batch.samples())) {
            return;
        }
        TableRows table = new TableRows(encoding);
        int count = Math.min(MOST_ROWS, batch.samples());
        List<double[][]> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(table.row(batch, (int) ((long) i * batch.samples() / count)));
        }
        rows = dealt(taken);
    }

    private List<double[][]> dealt(List<double[][]> taken) {
        List<double[][]> dealt = new ArrayList<>();
        taken.forEach(row -> dealt.add(row.clone()));
        int columns = taken.isEmpty() ? 0 : taken.get(0).length;
        for (int c = 0; c < columns; c++) {
            RandomGenerator random = Seeds.generator(seed, c);
            for (int i = dealt.size() - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                double[] cells = dealt.get(i)[c];
                dealt.get(i)[c] = dealt.get(j)[c];
                dealt.get(j)[c] = cells;
            }
        }
        return dealt;
    }

    /** As a file beside the model; empty where no rows were seen. */
    public List<ModelFolder.Beside> beside() {
        List<double[][]> all = rows;
        if (all == null || all.isEmpty()) {
            return List.of();
        }
        Batch batch = new TableRows(encoding).batch(all);
        List<NamedSpan> arrays = new ArrayList<>();
        for (int i = 0; i < batch.inputs().size(); i++) {
            HostArray array = batch.inputs().get(i);
            long width = array.count() / all.size();
            Span copy = Span.allocate(array.count() * array.type().bytes());
            copy.buffer().put(array.data().buffer());
            String name = encoding.signature().inputs().get(i).name();
            arrays.add(new NamedSpan(name, array.type(), new long[] {all.size(), width}, copy));
        }
        return List.of(
                ModelFolder.Beside.arrays(
                        ModelFolder.REFERENCE, Map.of(CHECKSUM, checksum(arrays)), arrays));
    }

    /**
     * The rows beside a model; one without values where there are none.
     *
     * @param encoding of the model, as it is stored
     * @throws ConfigException if they are there and do not fit the model
     */
    static List<double[][]> read(Path folder, TableEncoding encoding) {
        Path file = folder.resolve(ModelFolder.REFERENCE);
        TableRows table = new TableRows(encoding);
        if (!Files.exists(file)) {
            return List.<double[][]>of(withoutValues(encoding, table));
        }
        Map<String, NamedSpan> arrays = new HashMap<>();
        try {
            Safetensors stored = Safetensors.open(file);
            List<NamedSpan> all = stored.namedSpans();
            require(checksum(all).equals(stored.metadata().get(CHECKSUM)), file);
            all.forEach(a -> arrays.put(a.name(), a));
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e, e);
        }
        List<HostArray> inputs = new ArrayList<>();
        for (Signature.Input input : encoding.signature().inputs()) {
            NamedSpan array = arrays.get(input.name());
            inputs.add(checked(file, input, array));
        }
        int rows = inputs.isEmpty() ? 0 : (int) inputs.get(0).shape()[0];
        boolean areAlike = inputs.stream().allMatch(input -> input.shape()[0] == rows);
        require(areAlike && rows >= 1, file);
        HostArray noTarget = HostArray.allocate(ElementType.FLOAT32, rows);
        Batch batch = new Batch(inputs, noTarget, rows);
        List<double[][]> all = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            all.add(table.row(batch, i));
        }
        return all;
    }

    /** An array of the shape that the model takes, with codes that it has. */
    private static HostArray checked(Path file, Signature.Input input, @Nullable NamedSpan array) {
        long width =
                input.shape().stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
        if (array == null
                || array.type() != input.type()
                || array.shape().length != 2
                || array.shape()[1] != width) {
            require(false, file);
            throw new IllegalStateException();
        }
        HostArray values = new HostArray(array.type(), array.shape(), array.data());
        if (input.isTerms()) {
            int features = input.cardinalities().get(0);
            for (int i = 0; i < values.count(); i += 2) {
                float index = values.data().buffer().asFloatBuffer().get(i);
                require(index >= 0 && index < features, file);
            }
        } else if (input.type() == ElementType.INT64) {
            for (int i = 0; i < values.count(); i++) {
                long code = values.data().buffer().asLongBuffer().get(i);
                require(code >= 0 && code < input.cardinalities().get((int) (i % width)), file);
            }
        }
        return values;
    }

    /** Of the arrays by name, since a file has them in an order of its own. */
    private static String checksum(List<NamedSpan> arrays) {
        return SpanHash.of(
                arrays.stream()
                        .sorted(Comparator.comparing(NamedSpan::name))
                        .map(NamedSpan::data)
                        .toList());
    }

    private static void require(boolean holds, Path file) {
        ConfigException.check(
                holds,
                "%s: damaged or of another model: copy the model folder again, or remove this file",
                file);
    }

    private static double[][] withoutValues(TableEncoding encoding, TableRows table) {
        RowEncoder encoder = new RowEncoder(encoding);
        double[] numbers = new double[encoder.numbers().size()];
        Arrays.fill(numbers, Double.NaN);
        byte[] record = new byte[encoder.recordBytes()];
        encoder.encode(numbers, new @Nullable String[encoder.texts().size()], 0, 1, record, 0);
        BatchBuffers buffers = new BatchBuffers(encoding.signature());
        TrainingData.decoder(encoding).decode(record, 0, new SampleKey(0, 0), buffers, 0);
        return table.row(buffers.batch(1), 0);
    }

    /** What the rows are, for people. */
    static String words(List<double[][]> rows) {
        return rows.size() == 1 ? OF_NOBODY : rows.size() + " rows of reference";
    }
}
