package dev.medley.onnx.edge;

import dev.medley.base.Version;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.onnx.stage.TermStage;
import dev.medley.tensor.graph.Port;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The reading of a row's texts, as {@code encoding.json} tells it; what becomes of their values is
 * in the graph.
 *
 * @param version of Medley
 * @param decimal what stands before the decimals of numbers
 * @param missing texts that mean that there is no value
 * @param columns in order
 * @param terms how words and hashes become the graph's input of terms; empty where there are none
 * @param classes in the order of their probabilities; empty where the model gives none
 * @param outputs of the graph, in order
 */
record EdgeEncoding(
        String version,
        String decimal,
        List<String> missing,
        List<Column> columns,
        Map<String, Object> terms,
        List<String> classes,
        List<String> outputs) {
    /**
     * A column.
     *
     * @param kind number, thousands, time, boolean, moment, category or terms
     * @param dates how a moment's texts write a date; null for other kinds
     * @param values that a category had in training; null for other kinds
     */
    record Column(
            String name, String kind, @Nullable String dates, @Nullable List<String> values) {}

    static EdgeEncoding of(TableEncoding table, Target target, List<Port> outputs) {
        int classes =
                switch (target.kind()) {
                    case BINARY -> 2;
                    case CLASSES -> target.outputs();
                    default -> 0;
                };
        return new EdgeEncoding(
                Version.build(),
                table.csv() == null ? "." : table.csv().decimal(),
                table.missing(),
                table.columns().stream().map(EdgeEncoding::column).toList(),
                TermStage.encoding(table),
                IntStream.range(0, classes).mapToObj(i -> name(target, i)).toList(),
                outputs.stream().map(Port::name).toList());
    }

    private static String name(Target target, int index) {
        boolean isNamed = target.kind() != TargetKind.NONE && index < target.labels().size();
        return isNamed ? target.labels().get(index) : "" + index;
    }

    private static Column column(ColumnEncoding column) {
        if (column instanceof Numeric numeric) {
            String kind = numeric.source().name().toLowerCase(Locale.ROOT);
            return new Column(column.name(), kind, null, null);
        } else if (column instanceof Moment moment) {
            return new Column(column.name(), "moment", moment.dates(), null);
        } else if (column instanceof SparseColumn) {
            return new Column(column.name(), "terms", null, null);
        }
        return new Column(column.name(), "category", null, ((Category) column).values());
    }
}
