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

/**
 * Tells the label of a whole sequence: patches of rows of all columns see each other in a
 * transformer, and a linear layer answers from the mean of what they became. Patches end with the
 * last row; some of the first rows may be in none.
 */
public final class SequenceEncoder implements Layer {
    private static final double POSITION_BOUND = 0.02;

    private final int rows;
    private final int columns;
    private final int patch;
    private final int stride;
    private final Linear projection;
    private final Parameter positions;
    private final Dropout dropout;
    private final Sequential blocks;
    private final LayerNorm norm;
    private final Linear head;

    /**
     * From {@code rows} of {@code columns} to {@code outputs}; a patch is no longer than the rows.
     */
    public SequenceEncoder(ModelSpec.Transformer spec, int rows, int columns, int outputs) {
        this.rows = rows;
        this.columns = columns;
        patch = spec.patch();
        stride = spec.patchStride();
        int patches = (rows - patch) / stride + 1;
        int width = spec.width();
        projection = new Linear((long) patch * columns, width);
        positions = Parameter.of(Initializer.uniform(POSITION_BOUND), patches, width);
        dropout = new Dropout(spec.dropout());
        BlockForm form = BlockForm.full(width, spec.heads(), spec.dropout());
        blocks = TransformerBlock.stack(spec.layers(), form);
        norm = new LayerNorm(width);
        head = new Linear(width, outputs);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("patch", projection);
        declaration.parameter("pos", positions);
        declaration.layer("blocks", blocks);
        declaration.layer("norm", norm);
        declaration.layer("head", head);
    }

    /** [sequences, outputs] of [sequences, rows, columns]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        long unseen = (x.size(1) - patch) % stride;
        Tensor last = x.narrow(1, unseen, x.size(1) - unseen);
        Tensor patches = last.unfold(1, patch, stride).contiguous().flattenFrom(2);
        Tensor stream =
                dropout.forward(projection.forward(patches, pass).plus(positions.value()), pass);
        Tensor seen = norm.forward(blocks.forward(stream, pass), pass);
        Tensor mean = seen.sum(1).times(1.0 / seen.size(1));
        return head.forward(dropout.forward(mean, pass), pass);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        int patches = Math.toIntExact(positions.shape()[0]);
        HostArray places = HostArray.allocate(ElementType.INT64, patches, patch);
        LongBuffer into = places.data().buffer().asLongBuffer();
        for (int p = 0; p < patches; p++) {
            for (int i = 0; i < patch; i++) {
                into.put((rows - patch) % stride + p * stride + i);
            }
        }
        Value cut =
                graph.node("Gather", List.of(x, graph.constant(places)), Attribute.of("axis", 1));
        Value turned = graph.permuted(cut, 0, 1, 3, 2);
        Value flat = graph.reshaped(turned, graph.wholes(0, 0, (long) patch * columns));
        Value stream = graph.node("Add", projection.graph(flat, graph), graph.parameter(positions));
        Value seen = norm.graph(blocks.graph(stream, graph), graph);
        Value mean =
                graph.node(
                        "ReduceMean",
                        List.of(seen),
                        Attribute.list("axes", 1),
                        Attribute.of("keepdims", 0));
        return head.graph(mean, graph);
    }
}
