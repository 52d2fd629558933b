package dev.medley.inference.model;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.SpanSource;
import dev.medley.base.model.FactorSpec;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.tensor.factor.FactorLearner;
import dev.medley.tensor.factor.FactorSides;
import dev.medley.tensor.factor.RatingSource;
import dev.medley.tensor.table.FactorRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes learners of factorisations for tables. */
public final class FactorModels {
    private FactorModels() {}

    /**
     * A learner with its initial parameters.
     *
     * @param batch most samples of a step over all workers
     * @param source of the training samples; null in prediction
     * @param memory for the parameters
     * @throws ConfigException if the data is no table, or has nothing to factorise
     */
    public static FactorLearner learner(
            ModelSpec.Factorization model,
            Encoding encoding,
            long seed,
            int batch,
            @Nullable RatingSource source,
            SpanSource memory) {
        TableEncoding table = table(model, encoding);
        return new FactorLearner(
                model,
                table.signature(),
                sides(model.factors(), table),
                seed,
                batch,
                source,
                memory);
    }

    /**
     * Whether there is something to factorise.
     *
     * @throws ConfigException as {@link #learner} does
     */
    static void require(ModelSpec.Factorization model, Encoding encoding) {
        TableEncoding table = table(model, encoding);
        FactorSides unused = sides(model.factors(), table);
        FactorRows unusedToo = FactorRows.of(model.factors(), table.signature());
    }

    private static TableEncoding table(ModelSpec.Factorization model, Encoding encoding) {
        if (!(encoding instanceof TableEncoding table)) {
            throw new ConfigException(
                    "model.family=%s reads tables, and the data is %s"
                            .formatted(model.family(), encoding.reads()));
        }
        return table;
    }

    /**
     * Which categories of a table are users and items.
     *
     * @throws ConfigException if one of them has a single value
     */
    public static FactorSides sides(FactorSpec factors, TableEncoding table) {
        if (!factors.hasUsers()) {
            return FactorSides.NONE;
        }
        List<String> names = table.embedded().stream().map(Category::name).toList();
        for (String column : factors.columns()) {
            ConfigException.check(
                    names.contains(column),
                    "model.user=%s, model.item=%s: column '%s' has one value in all training rows,"
                            + " and there is nothing to factorise",
                    factors.user(),
                    factors.item(),
                    column);
        }
        return new FactorSides(
                names.indexOf(factors.columns().get(0)), names.indexOf(factors.columns().get(1)));
    }
}
