package dev.medley.inference.model;

import dev.medley.base.ConfigException;
import dev.medley.base.evaluation.Segments;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.tensor.kmeans.KMeansLearner;
import java.util.List;

/** Makes learners of centres for tables. */
public final class KMeansModels {
    private KMeansModels() {}

    /**
     * A learner without centres.
     *
     * @throws ConfigException if distances between the data's samples have no meaning
     */
    public static KMeansLearner learner(ModelSpec.KMeans model, Encoding encoding) {
        return new KMeansLearner(model.k(), table(encoding).featureCount(), model.fit().restarts());
    }

    /**
     * Whether there are distances to measure, and memory for the centres.
     *
     * @throws ConfigException if not
     */
    static void require(ModelSpec.KMeans model, Encoding encoding) {
        KMeansLearner.require(model.k(), table(encoding).featureCount(), model.fit().restarts());
    }

    /** What the clusters of a model are like, in the units of its data. */
    public static Segments segments(Encoding encoding, List<NamedSpan> weights) {
        return SegmentColumns.of(table(encoding), weights);
    }

    /**
     * The encoding of a table whose columns are all numbers.
     *
     * @throws ConfigException if it is none
     */
    public static TableEncoding table(Encoding encoding) {
        if (!(encoding instanceof TableEncoding table)) {
            throw new ConfigException(
                    "model.family=kmeans reads tables, and the data is " + encoding.reads());
        }
        ConfigException.check(
                table.embedded().isEmpty(),
                "model.family=kmeans measures distances, which codes do not have: column '%s' has"
                        + " %d different values; leave it out with data.table.drop, or raise"
                        + " data.table.one_hot_limit",
                table.embedded().stream().map(Category::name).findFirst().orElse(""),
                table.embedded().stream().map(c -> c.values().size()).findFirst().orElse(0));
        return table;
    }
}
