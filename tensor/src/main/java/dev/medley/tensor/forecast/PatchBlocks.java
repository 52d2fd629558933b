package dev.medley.tensor.forecast;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.attention.BlockForm;
import dev.medley.tensor.attention.TransformerBlock;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Dropout;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.LayerNorm;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import java.nio.LongBuffer;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Lets patches see each other: projection, places, full attention, and a norm behind it. */
final class PatchBlocks implements Layer {
    private static final double POSITION_BOUND = 0.02;

    private final Linear projection;
    private final Parameter positions;
    private final Dropout dropout;
    private final Sequential blocks;
    private final LayerNorm norm;

    /** So many patches of {@code numbers} numbers each. */
    PatchBlocks(ModelSpec.Transformer spec, int patches, long numbers) {
        int width = spec.width();
        projection = new Linear(numbers, width);
        positions = Parameter.of(Initializer.uniform(POSITION_BOUND), patches, width);
        dropout = new Dropout(spec.dropout());
        BlockForm form = BlockForm.full(width, spec.heads(), spec.dropout());
        blocks = TransformerBlock.stack(spec.layers(), form);
        norm = new LayerNorm(width);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("patch", projection);
        declaration.parameter("pos", positions);
        declaration.layer("blocks", blocks);
        declaration.layer("norm", norm);
    }

    /** [sequences, patches, width] of [sequences, patches, numbers]. */
    @Override
    public Tensor forward(Tensor patches, Pass pass) {
        Tensor stream = projection.forward(patches, pass).plus(positions.value());
        return norm.forward(blocks.forward(dropout.forward(stream, pass), pass), pass);
    }

    /** What goes into a head, in training with some of it dropped. */
    Tensor dropped(Tensor seen, Pass pass) {
        return dropout.forward(seen, pass);
    }

    @Override
    public Value graph(Value patches, Graph graph) {
        Value projected = projection.graph(patches, graph);
        Value stream = graph.node("Add", projected, graph.parameter(positions));
        return norm.graph(blocks.graph(stream, graph), graph);
    }

    /**
     * Patches of {@code length} rows each, the next one {@code stride} rows on.
     *
     * @param row which row of {@code x} a row of the whole is
     */
    Value cut(Value x, int length, int stride, IntUnaryOperator row, Graph graph) {
        int patches = Math.toIntExact(positions.shape()[0]);
        HostArray places = HostArray.allocate(ElementType.INT64, patches, length);
        LongBuffer into = places.data().buffer().asLongBuffer();
        for (int p = 0; p < patches; p++) {
            for (int i = 0; i < length; i++) {
                into.put(row.applyAsInt(p * stride + i));
            }
        }
        return graph.node("Gather", List.of(x, graph.constant(places)), Attribute.of("axis", 1));
    }
}
