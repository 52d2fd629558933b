package dev.medley.inference.model;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.model.TreeSpec;
import dev.medley.base.text.DidYouMean;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.trees.TreeColumn;
import dev.medley.trees.TreeLearner;
import java.util.ArrayList;
import java.util.List;

/** Makes learners of trees for tables. */
public final class TreeModels {
    private TreeModels() {}

    /**
     * A learner without trees.
     *
     * @throws ConfigException if trees cannot read the data, or a column that the model names is
     *     not a number of it
     */
    public static TreeLearner learner(
            ModelSpec.Trees model, Encoding encoding, TreeLearner.Growing growing) {
        TableEncoding table = require(model, encoding);
        return new TreeLearner(model, table.label().target(), columns(table), growing);
    }

    /**
     * The encoding of a table that trees can read.
     *
     * @throws ConfigException as {@link #learner} does
     */
    static TableEncoding require(ModelSpec.Trees model, Encoding encoding) {
        if (!(encoding instanceof TableEncoding table)) {
            throw new ConfigException(
                    "model.family=%s reads tables, and the data is %s"
                            .formatted(model.family(), encoding.reads()));
        }
        requireNumbers(model.tree(), table);
        return table;
    }

    private static List<TreeColumn> columns(TableEncoding table) {
        List<TreeColumn> columns = new ArrayList<>();
        table.featureNames().forEach(name -> columns.add(new TreeColumn(name, 0)));
        for (Category category : table.embedded()) {
            columns.add(new TreeColumn(category.name(), category.valueCodes()));
        }
        return columns;
    }

    private static void requireNumbers(TreeSpec tree, TableEncoding table) {
        List<String> numbers =
                table.dense().stream().map(column -> column.features().get(0)).toList();
        for (String column : tree.monotone().keySet()) {
            ConfigException.check(
                    table.embedded().stream().noneMatch(c -> c.name().equals(column)),
                    "model.monotone: column '%s' is a category, which neither rises nor falls; name"
                            + " numbers, which are: %s",
                    column,
                    String.join(", ", numbers));
            ConfigException.check(
                    numbers.contains(column),
                    "model.monotone: there is no number '%s' among what is learnt from%s; there"
                            + " are: %s",
                    column,
                    DidYouMean.of(column, numbers)
                            .map(near -> ", did you mean '" + near + "'?")
                            .orElse(""),
                    String.join(", ", numbers));
        }
    }
}
