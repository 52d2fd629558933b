package dev.medley.data.dataset;

import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.shard.DiskBudget;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.PredictionTable;
import dev.medley.data.table.series.SequenceIngest;
import dev.medley.data.table.series.SeriesEnds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Tells what the predictions for series and for sequences are for: the columns that tell them
 * apart, and of a forecast its times.
 *
 * <p>Thread: any.
 */
public final class PredictionRows {
    private final List<String> header;
    private final List<List<String>> texts;
    private final @Nullable SeriesEnds ends;

    private PredictionRows(
            List<String> header, List<List<String>> texts, @Nullable SeriesEnds ends) {
        this.header = List.copyOf(header);
        this.texts = List.copyOf(texts);
        this.ends = ends;
    }

    /** Whether predictions are not for the rows of files, but for series or sequences of them. */
    public static boolean areOf(Encoding encoding) {
        return encoding instanceof SeriesEncoding || encoding instanceof SequenceEncoding;
    }

    /**
     * Of series or sequences that {@link Datasets#encodeInputs} gave.
     *
     * @param scratch an empty folder for what does not fit memory
     */
    public static PredictionRows of(PreparedData data, Path scratch) throws IOException {
        List<Path> files = Inputs.findAll(data.spec()).all();
        if (data.encoding() instanceof SeriesEncoding series) {
            SeriesEnds ends = SeriesEnds.of(series, data.spec(), data.format(), files, scratch);
            return new PredictionRows(ends.columns(), ends.rows(), ends);
        }
        SequenceEncoding sequences = (SequenceEncoding) data.encoding();
        DiskBudget budget = new DiskBudget(Long.MAX_VALUE);
        Workplace place = new Workplace(scratch, data.seed(), budget, PreparationProgress.NONE);
        SequenceIngest ingest = new SequenceIngest(data.spec(), data.format(), place);
        return new PredictionRows(sequences.by(), ingest.names(sequences, files), null);
    }

    /** Names of the columns that say what a prediction is for. */
    public List<String> header() {
        return header;
    }

    /** Their values, in the order of the samples: a row for each time of a forecast. */
    public List<List<String>> texts() {
        return texts;
    }

    /**
     * The rows of a sample's prediction, which stand beside {@link #texts}.
     *
     * @param values a Double or a String for each column; of a series the numbers of all rows to
     *     come, as the model gives them
     */
    public List<Object[]> numbers(int sample, Object... values) {
        return ends == null ? List.<Object[]>of(values) : ends.numbers(sample, values);
    }

    /** Names of all columns, in order: {@link #header}, and behind them those of a prediction. */
    public List<String> columns(Collection<String> ofPrediction) {
        List<String> lower = header.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        List<String> all = new ArrayList<>(header);
        all.addAll(PredictionTable.freeNames(lower, ofPrediction));
        return all;
    }
}
