package dev.medley.inference.model;

import dev.medley.base.job.DataSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.tensor.factor.FactorLearner;
import dev.medley.tensor.factor.ItemScores;
import dev.medley.tensor.factor.ItemScores.Recommended;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Recommends items to users: those with the highest predictions among the items that a user does
 * not have in training. A user that training has not seen gets those that are best for all.
 *
 * <p>Thread: one.
 */
public final class Recommender {
    private static final int ROWS_AT_ONCE = 4096;

    private final TableEncoding users;
    private final Category user;
    private final Category item;
    private final ItemScores scores;

    private Recommender(TableEncoding users, Category user, Category item, ItemScores scores) {
        this.users = users;
        this.user = user;
        this.item = item;
        this.scores = scores;
    }

    static Recommender of(
            ModelSpec.Factorization model, TableEncoding table, FactorLearner learner) {
        FactorSpec factors = model.factors();
        ItemScores scores = learner.scores();
        Category user = category(table, factors.columns().get(0));
        TableEncoding users =
                new TableEncoding(List.of(user), table.label(), table.missing(), table.csv());
        return new Recommender(users, user, category(table, factors.columns().get(1)), scores);
    }

    private static Category category(TableEncoding table, String name) {
        return table.embedded().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The rows of new files, of which the column of users alone is read.
     *
     * @throws dev.medley.base.ConfigException if they have none
     */
    public PreparedData encode(DataSpec data, Path cache, PreparationProgress progress) {
        return Datasets.encodeInputs(users, data, cache, progress);
    }

    /** How many items there are, which nobody is recommended more of. */
    public int items() {
        return item.knownCodes();
    }

    /**
     * Hands over the best items for the user of each row, in file order, the best first; fewer than
     * {@code count} where there are no more.
     *
     * @return how many rows have a user that training has not seen
     */
    public long each(PreparedData rows, int count, Consumer<List<Recommended>> taker) {
        long unseen = 0;
        try (TrainingData samples = TrainingData.open(rows, 0, Clock.system())) {
            long all = samples.validationSamples();
            for (long from = 0; from < all; from += ROWS_AT_ONCE) {
                int batch = (int) Math.min(ROWS_AT_ONCE, all - from);
                LongBuffer codes =
                        samples.validation(from, from + batch)
                                .inputs()
                                .get(0)
                                .data()
                                .buffer()
                                .asLongBuffer();
                for (int row = 0; row < batch; row++) {
                    int code = (int) codes.get(row);
                    unseen += code == user.unknownCode() ? 1 : 0;
                    taker.accept(scores.best(code, count));
                }
            }
        }
        return unseen;
    }

    /** The item as the files have it; empty for rows that had none. */
    public String name(Recommended recommended) {
        int code = recommended.item();
        return code < item.values().size() ? Objects.requireNonNull(item.values().get(code)) : "";
    }
}
