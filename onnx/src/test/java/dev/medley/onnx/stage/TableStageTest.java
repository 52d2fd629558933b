package dev.medley.onnx.stage;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.onnx.file.OnnxFile;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.io.ByteArrayOutputStream;
import java.nio.channels.Channels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Columns become the arrays that one writes down by hand, in the order of training. */
@Tag("unit")
class TableStageTest {
    /** Categories stand before the number, and features begin with the number all the same. */
    private static final List<ColumnEncoding> COLUMNS =
            List.of(
                    new Category("colour", List.of("blue", "red"), true, false),
                    new Category("town", List.of("a", "b"), false, true),
                    new Category("size", List.of("1.0", "10"), false, false, 0.1),
                    new SparseColumn.Hashed("note", 2, true, 3),
                    new Numeric("age", ColumnEncoding.Source.NUMBER, 40, 10, 0, true));

    private static final float[][][] TERMS = {
        {{1, 0.5f}, {3, 2}, {0, 0}},
        {{2, 1}, {2, 0.5f}, {0, 0}},
        {{0, 0}, {0, 0}, {0, 0}},
        {{0, -1}, {0, 0}, {0, 0}}
    };

    private static TableEncoding table(List<ColumnEncoding> columns, boolean areSparse) {
        LabelEncoding label = LabelEncoding.ofClasses("y", List.of("no", "yes"));
        return new TableEncoding(columns, label, List.of("NA"), null, null, areSparse);
    }

    private static String[][] column(String... values) {
        String[][] column = new String[values.length][];
        for (int i = 0; i < values.length; i++) {
            column[i] = new String[] {values[i]};
        }
        return column;
    }

    /** The arrays of four rows, computed by ONNX Runtime. */
    private static Object[] computed(TableEncoding table) throws Exception {
        Graph graph = new Graph();
        List<Value> arrays = TableStage.of(table, graph);
        for (int i = 0; i < arrays.size(); i++) {
            boolean areCodes = i > 0 && i == arrays.size() - 1;
            graph.output(
                    new Port(
                            "array" + i,
                            areCodes ? Port.Type.INT64 : Port.Type.FLOAT,
                            table.sparse() && i == 1
                                    ? List.of(Port.SAMPLES, "terms", "2")
                                    : List.of(Port.SAMPLES, "width"),
                            ""),
                    arrays.get(i));
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        OnnxFile.of(graph, List.of(), "columns", Map.of()).writeTo(Channels.newChannel(file));
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        Map<String, OnnxTensor> given = new LinkedHashMap<>();
        Map<String, Object> rows =
                Map.of(
                        "colour", column("red", "", "mauve", "NA"),
                        "town", column("b", "a", "x", ""),
                        "size", column("1", "10.0", "7", ""),
                        "terms", TERMS,
                        "age", new double[][] {{55}, {40}, {Double.NaN}, {20}});
        try (OrtSession session = environment.createSession(file.toByteArray())) {
            for (Port port : graph.inputs()) {
                given.put(port.name(), OnnxTensor.createTensor(environment, rows.get(port.name())));
            }
            try (OrtSession.Result result = session.run(given)) {
                Object[] found = new Object[arrays.size()];
                for (int i = 0; i < found.length; i++) {
                    found[i] = result.get(i).getValue();
                }
                return found;
            }
        } finally {
            given.values().forEach(OnnxTensor::close);
        }
    }

    @Test
    void columnsShouldBeInputsWithAWordAboutWhatIsMissing() {
        Graph graph = new Graph();
        List<Value> unused = TableStage.of(table(COLUMNS, true), graph);
        assertThat(graph.inputs())
                .extracting(port -> port.name() + " " + port.type() + " " + port.about())
                .satisfiesExactly(
                        port ->
                                assertThat(port)
                                        .isEqualTo("colour STRING a text; empty where missing"),
                        port -> assertThat(port).startsWith("town STRING"),
                        port -> assertThat(port).startsWith("size STRING"),
                        port ->
                                assertThat(port)
                                        .isEqualTo("age DOUBLE a number; NaN where missing"),
                        port -> assertThat(port).startsWith("terms FLOAT"));
    }

    @Test
    void numbersShouldComeFirstThenCategoriesThenWords() throws Exception {
        Object[] found = computed(table(COLUMNS, false));
        assertThat(found).hasSize(2);
        // age, whether it is missing | blue, red, missing | 1, 10, rare | four hashes
        assertThat((float[][]) found[0])
                .isDeepEqualTo(
                        new float[][] {
                            {1.5f, 0, 0, 1, 0, 1, 0, 0, 0, 0.5f, 0, 2},
                            {0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1.5f, 0},
                            {0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0},
                            {-2, 0, 0, 0, 1, 0, 0, 1, -1, 0, 0, 0}
                        });
        assertThat((long[][]) found[1]).isDeepEqualTo(new long[][] {{1}, {0}, {2}, {2}});
    }

    @Test
    void wordsShouldBeAnArrayOfTheirOwnWhereModelsTakeTerms() throws Exception {
        Object[] found = computed(table(COLUMNS, true));
        assertThat(found).hasSize(3);
        assertThat(((float[][]) found[0])[1]).containsExactly(0, 0, 0, 0, 1, 0, 1, 0);
        assertThat((float[][][]) found[1]).isDeepEqualTo(TERMS);
        assertThat((long[][]) found[2]).isDeepEqualTo(new long[][] {{1}, {0}, {2}, {2}});
    }
}
