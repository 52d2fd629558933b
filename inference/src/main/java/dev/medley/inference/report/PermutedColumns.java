package dev.medley.inference.report;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.evaluation.Importance;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.text.DidYouMean;
import dev.medley.data.encoding.ColumnPlace;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.Evaluator.BlockSource;
import dev.medley.inference.metric.Metric;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Computes the permutation importance of a table's columns. All that a column became, be it one
 * number or a vector of ones and zeros, moves together from one sample to another. Cost: an
 * evaluation for each column and repeat, and memory for one encoded column at a time.
 *
 * <p>The permutations follow from (seed, place of the column in the table, repeat).
 */
public final class PermutedColumns {
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8; // The longest array.
    private static final int BLOCK = 1024;

    private final Map<String, ColumnPlace> all;
    private final Map<String, ColumnPlace> asked;
    private final ImportanceOptions options;

    private PermutedColumns(
            Map<String, ColumnPlace> all,
            Map<String, ColumnPlace> asked,
            ImportanceOptions options) {
        this.all = all;
        this.asked = asked;
        this.options = options;
    }

    /**
     * The columns of a model.
     *
     * @param model its folder, for messages
     * @throws ConfigException if it reads no table, or not a column that is asked for
     */
    public static PermutedColumns of(Path model, Encoding encoding, ImportanceOptions options) {
        if (!(encoding instanceof TableEncoding table)) {
            throw new ConfigException(
                    "%s: importance is of columns, and this model was trained on %s, which has none"
                            .formatted(model, encoding.reads()));
        }
        Map<String, ColumnPlace> all = ColumnPlace.of(table);
        Map<String, ColumnPlace> asked = new LinkedHashMap<>();
        for (String name : options.columns()) {
            ColumnPlace place = all.get(name);
            if (place == null) {
                throw new ConfigException(
                        "--columns: '%s' is no input of %s%s; its inputs are: %s"
                                .formatted(
                                        name,
                                        model,
                                        DidYouMean.of(name, List.copyOf(all.keySet()))
                                                .map(near -> ", did you mean '" + near + "'?")
                                                .orElse(""),
                                        String.join(", ", all.keySet())));
            }
            asked.put(name, place);
        }
        return new PermutedColumns(all, asked.isEmpty() ? all : asked, options);
    }

    /**
     * The importance of the columns.
     *
     * @param samples how many there are
     * @param metric that is looked at
     * @param source of the samples as they are
     * @param evaluate the metrics on samples of a source
     * @param progress told of every column that is begun
     * @throws ConfigException if a column of all samples is more than can be held
     */
    public Importance importance(
            long samples,
            Metric metric,
            BlockSource source,
            Function<BlockSource, Evaluation> evaluate,
            PreparationProgress progress) {
        asked.forEach((name, place) -> checkFits(name, place, samples, source));
        double whole = figure(metric, evaluate.apply(source));
        List<String> places = List.copyOf(all.keySet());
        List<Importance.Column> columns = new ArrayList<>();
        for (Map.Entry<String, ColumnPlace> column : asked.entrySet()) {
            progress.at("permuting " + column.getKey(), columns.size(), asked.size());
            int place = places.indexOf(column.getKey());
            byte[] values = values(column.getValue(), (int) samples, source);
            double[] worse = new double[options.repeats()];
            for (int repeat = 0; repeat < worse.length; repeat++) {
                int[] from = permutation((int) samples, place, repeat);
                BlockSource permuted =
                        (first, end) ->
                                permuted(
                                        source.read(first, end),
                                        (int) first,
                                        column.getValue(),
                                        values,
                                        from);
                double figure = figure(metric, evaluate.apply(permuted));
                worse[repeat] = metric.isHigherBetter() ? whole - figure : figure - whole;
            }
            columns.add(column(column.getKey(), worse));
        }
        columns.sort(Comparator.comparingDouble(Importance.Column::mean).reversed());
        return new Importance(metric.name(), whole, options.repeats(), options.seed(), columns);
    }

    /** A column is held in one array while it is dealt anew. */
    private static void checkFits(
            String name, ColumnPlace place, long samples, BlockSource source) {
        Batch some = source.read(0, Math.min(samples, 1));
        long bytes = Rows.of(some, place).bytes();
        ConfigException.check(
                samples * bytes <= MOST_BYTES,
                "importance of column '%s': %,d samples of %d bytes each are more than the %,d"
                    + " bytes that are dealt anew at once: evaluate at most %,d samples, or name"
                    + " others by --columns",
                name,
                samples,
                bytes,
                MOST_BYTES,
                MOST_BYTES / Math.max(1, bytes));
    }

    private static double figure(Metric metric, Evaluation evaluation) {
        double figure = evaluation.figures().getOrDefault(metric.name(), Double.NaN);
        ConfigException.check(
                !Double.isNaN(figure),
                "importance looks at %s, which is not a number on these samples: it needs samples"
                        + " of all that it compares",
                metric.name());
        return figure;
    }

    private static Importance.Column column(String name, double[] worse) {
        double mean = 0;
        for (double each : worse) {
            mean += each / worse.length;
        }
        double squares = 0;
        for (double each : worse) {
            squares += (each - mean) * (each - mean) / worse.length;
        }
        return new Importance.Column(name, mean, Math.sqrt(squares));
    }

    /** After Fisher and Yates, in Durstenfeld's form. */
    private int[] permutation(int count, int place, int repeat) {
        RandomGenerator random = Seeds.generator(options.seed(), place, repeat);
        int[] from = new int[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            from[i] = from[j];
            from[j] = i;
        }
        return from;
    }

    /** What the column became, of all samples in order. */
    private static byte[] values(ColumnPlace place, int samples, BlockSource source) {
        byte[] values = new byte[0];
        for (int first = 0; first < samples; first += BLOCK) {
            Batch batch = source.read(first, Math.min(samples, first + BLOCK));
            Rows rows = Rows.of(batch, place);
            if (values.length == 0) {
                values = new byte[samples * rows.bytes()];
            }
            for (int i = 0; i < batch.samples(); i++) {
                rows.buffer().get(rows.at(i), values, (first + i) * rows.bytes(), rows.bytes());
            }
        }
        return values;
    }

    private static Batch permuted(
            Batch batch, int first, ColumnPlace place, byte[] values, int[] from) {
        Batch copy = batch.copy();
        Rows rows = Rows.of(copy, place);
        for (int i = 0; i < copy.samples(); i++) {
            rows.buffer().put(rows.at(i), values, from[first + i] * rows.bytes(), rows.bytes());
        }
        return copy;
    }

    /** The part of each row of an array that is a column's. */
    private record Rows(ByteBuffer buffer, int rowBytes, int from, int bytes) {
        static Rows of(Batch batch, ColumnPlace place) {
            HostArray array = batch.inputs().get(place.input());
            int element = array.type().bytes();
            int row = (int) (array.data().bytes() / Math.max(1, batch.samples()));
            return new Rows(
                    array.data().buffer(), row, place.from() * element, place.width() * element);
        }

        int at(int sample) {
            return sample * rowBytes + from;
        }
    }
}
