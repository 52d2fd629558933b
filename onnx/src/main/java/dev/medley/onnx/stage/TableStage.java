package dev.medley.onnx.stage;

import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Encodes the columns of a table, each an input [samples, 1] of its own: numbers and dates in
 * double precision, categories as texts.
 */
final class TableStage {
    private TableStage() {}

    /** Features, then codes, as far as there are any. */
    static List<Value> of(TableEncoding table, Graph graph) {
        Map<String, Value> columns = new LinkedHashMap<>();
        for (ColumnEncoding column : table.columns()) {
            if (column instanceof SparseColumn) {
                continue; // All of them together are the terms.
            }
            boolean isText = column instanceof Category;
            columns.put(
                    column.name(),
                    graph.input(
                            new Port(
                                    column.name(),
                                    isText ? Port.Type.STRING : Port.Type.DOUBLE,
                                    List.of(Port.SAMPLES, "1"),
                                    about(column))));
        }
        List<Value> features = new ArrayList<>();
        if (table.denseCount() > 0) {
            features.add(new DenseStage(table.dense(), columns, graph).features());
        }
        for (Category category : table.oneHot()) {
            Value code = codes(category, table).of(column(columns, category), graph);
            long[] known = LongStream.range(0, category.knownCodes()).toArray();
            if (known.length > 0) {
                Value isThis = graph.node("Equal", code, graph.wholes(known));
                features.add(graph.cast(isThis, Port.Type.FLOAT));
            }
        }
        Value terms = table.ofTerms().isEmpty() ? Value.NONE : terms(table, graph);
        if (!table.ofTerms().isEmpty() && !table.sparse()) {
            features.add(spread(terms, table.termCount(), graph));
        }
        List<Value> codes = new ArrayList<>();
        for (Category category : table.embedded()) {
            codes.add(codes(category, table).of(column(columns, category), graph));
        }
        List<Value> arrays = new ArrayList<>();
        if (!features.isEmpty()) {
            arrays.add(graph.joined(features, 1));
        }
        if (!table.ofTerms().isEmpty() && table.sparse()) {
            arrays.add(terms);
        }
        if (!codes.isEmpty()) {
            arrays.add(graph.joined(codes, 1));
        }
        return arrays;
    }

    /** Words, hashes and pairs, which have no operators: who runs the graph makes terms of them. */
    private static Value terms(TableEncoding table, Graph graph) {
        return graph.input(
                new Port(
                        TermStage.name(table),
                        Port.Type.FLOAT,
                        List.of(Port.SAMPLES, "terms", "2"),
                        "index and value of each word, hash or pair, 0 and 0 where a row has fewer;"
                                + " the encoding beside the file says which"));
    }

    /** The same as rows of numbers, FLOAT [samples, width]. */
    private static Value spread(Value terms, int width, Graph graph) {
        Attribute last = Attribute.of("axis", 2);
        Value places = graph.node("Gather", List.of(terms, graph.index(0)), last);
        Value values = graph.node("Gather", List.of(terms, graph.index(1)), last);
        Value shape = graph.joined(List.of(graph.length(terms, 0), graph.wholes(width)), 0);
        return graph.node(
                "ScatterElements",
                List.of(
                        graph.node("ConstantOfShape", shape),
                        graph.cast(places, Port.Type.INT64),
                        values),
                Attribute.of("axis", 1),
                new Attribute.Text("reduction", "add"));
    }

    private static Value column(Map<String, Value> columns, Category category) {
        Value column = columns.get(category.name());
        if (column == null) {
            throw new IllegalStateException("no column " + category.name());
        }
        return column;
    }

    private static TextCodes codes(Category category, TableEncoding table) {
        Map<String, Long> codes = new LinkedHashMap<>();
        codes.put("", (long) category.missingCode());
        table.missing().forEach(text -> codes.put(text, (long) category.missingCode()));
        for (int i = 0; i < category.values().size(); i++) {
            codes.put(category.values().get(i), (long) i);
        }
        OtherTexts.of(category.values(), DecimalMark.of(table.csv()))
                .forEach((text, value) -> codes.putIfAbsent(text, value.longValue()));
        return new TextCodes(codes, category.unknownCode());
    }

    private static String about(ColumnEncoding column) {
        if (column instanceof Numeric numeric) {
            String missing = "; NaN where missing";
            return switch (numeric.source()) {
                case NUMBER, THOUSANDS -> "a number" + missing;
                case TIME -> "a time of day, in seconds" + missing;
                case BOOLEAN -> "1 for true, 0 for false" + missing;
            };
        }
        return column instanceof Category
                ? "a text; empty where missing"
                : "seconds since 1970 (UTC); NaN where missing";
    }
}
