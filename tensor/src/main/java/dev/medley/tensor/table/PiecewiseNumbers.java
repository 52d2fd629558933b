package dev.medley.tensor.table;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Pass;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes each number by the part of each bin that lies below it: 0 for bins above, 1 for bins
 * below, and in proportion within (Gorishniy, Rubachev and Babenko 2022, arXiv 2203.05556, equation
 * 1). Unlike there the outermost bins end with their edges: what lies beyond is as the edge itself,
 * however far away, and the scaled number that stands beside it tells the rest.
 */
final class PiecewiseNumbers implements NumericLayer {
    private final HostArray column;
    private final HostArray lower;
    private final HostArray scale;
    private final int width;

    /**
     * For columns with these bins.
     *
     * @param bins edges of each column, at least two
     */
    PiecewiseNumbers(List<List<Float>> bins) {
        List<Long> columns = new ArrayList<>();
        List<Float> lowers = new ArrayList<>();
        List<Float> scales = new ArrayList<>();
        for (int c = 0; c < bins.size(); c++) {
            List<Float> edges = bins.get(c);
            for (int bin = 0; bin + 1 < edges.size(); bin++) {
                columns.add((long) c);
                lowers.add(edges.get(bin));
                scales.add(1 / (edges.get(bin + 1) - edges.get(bin)));
            }
        }
        width = columns.size();
        column = HostArray.allocate(ElementType.INT64, width);
        columns.forEach(column.data().buffer().asLongBuffer()::put);
        lower = floats(lowers);
        scale = floats(scales);
    }

    private static HostArray floats(List<Float> values) {
        HostArray array = HostArray.allocate(ElementType.FLOAT32, values.size());
        var buffer = array.data().buffer().asFloatBuffer();
        values.forEach(buffer::put);
        return array;
    }

    @Override
    public long width() {
        return width;
    }

    @Override
    public void declare(Declaration declaration) {
        // Nothing is learned.
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor ofBin = Functional.select(x, 1, Tensor.aliasOf(column));
        Tensor part = ofBin.minus(like(x, lower)).times(like(x, scale));
        return Functional.clamp(part, 0, 1);
    }

    private static Tensor like(Tensor x, HostArray array) {
        return Tensor.aliasOf(array).to(x.type());
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value ofBin =
                graph.node("Gather", List.of(x, graph.constant(column)), Attribute.of("axis", 1));
        Value away = graph.node("Sub", ofBin, graph.constant(lower));
        Value part = graph.node("Mul", away, graph.constant(scale));
        return graph.node("Clip", part, graph.number(0), graph.number(1));
    }
}
