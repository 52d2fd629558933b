package dev.medley.api.predict;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.TrainedModel;
import dev.medley.api.run.RunOptions;
import dev.medley.base.job.DataSpec;
import dev.medley.data.dataset.InUse;
import dev.medley.data.dataset.PredictionWriter;
import dev.medley.data.dataset.PredictionWriter.ColumnType;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.model.Recommender;
import dev.medley.tensor.factor.ItemScores.Recommended;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes the best items for the users of a file's rows, without those that a user has in training.
 */
public final class Recommendations {
    private final TrainedModel model;
    private final int count;

    /** As many as {@code count} items for each user, or all that there are. */
    public Recommendations(TrainedModel model, int count) {
        check(count >= 1, "--top %d: at least 1", count);
        this.model = model;
        this.count = count;
    }

    /**
     * The rows that were written.
     *
     * @param rows all of them
     * @param unseen those whose user training has not seen: they have the items that are best for
     *     all
     * @param items of each row at most
     */
    public record Written(long rows, long unseen, int items) {}

    /**
     * Writes every row of {@code data} with its items and their predictions, the best first, to
     * {@code out}: CSV, Parquet or JSON lines by its ending. Of a table the column of users alone
     * is needed.
     *
     * @throws dev.medley.base.ConfigException if the model has no users, or the data none of them
     */
    public Written write(DataSpec data, Path out, PreparationProgress progress) {
        PredictionWriter.requireFormat(out);
        Recommender recommender = model.recommender();
        Path cache = RunOptions.defaultCache().resolve("data");
        PreparedData rows = recommender.encode(data, cache, progress);
        int most = Math.min(count, recommender.items());
        try (InUse unused = InUse.begin(rows);
                PredictionWriter writer = PredictionWriter.open(rows, columns(most), out)) {
            long[] done = {0};
            long unseen =
                    recommender.each(
                            rows,
                            most,
                            items -> {
                                Object[] row = new Object[2 * most];
                                for (int i = 0; i < most; i++) {
                                    Recommended item = i < items.size() ? items.get(i) : null;
                                    row[2 * i] = item == null ? "" : recommender.name(item);
                                    row[2 * i + 1] = item == null ? Double.NaN : item.score();
                                }
                                writer.add(row);
                                progress.at("recommending", ++done[0], rows.validationSamples());
                            });
            writer.finish();
            return new Written(rows.validationSamples(), unseen, most);
        }
    }

    private static Map<String, ColumnType> columns(int most) {
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        for (int place = 1; place <= most; place++) {
            columns.put("item_" + place, ColumnType.TEXT);
            columns.put("score_" + place, ColumnType.NUMBER);
        }
        return columns;
    }
}
