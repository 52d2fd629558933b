package dev.medley.tensor.forecast;

import dev.medley.base.job.ModelSpec;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import java.util.List;

/**
 * Tells the label of a whole sequence: patches of rows of all columns see each other in a
 * transformer, and a linear layer answers from the mean of what they became. Patches end with the
 * last row; some of the first rows may be in none.
 */
public final class SequenceEncoder implements Layer {
    private final int rows;
    private final int columns;
    private final int patch;
    private final int stride;
    private final PatchBlocks blocks;
    private final Linear head;

    /**
     * From {@code rows} of {@code columns} to {@code outputs}; a patch is no longer than the rows.
     */
    public SequenceEncoder(ModelSpec.Transformer spec, int rows, int columns, int outputs) {
        this.rows = rows;
        this.columns = columns;
        patch = spec.patch();
        stride = spec.patchStride();
        blocks = new PatchBlocks(spec, (rows - patch) / stride + 1, (long) patch * columns);
        head = new Linear(spec.width(), outputs);
    }

    @Override
    public void declare(Declaration declaration) {
        blocks.declare(declaration);
        declaration.layer("head", head);
    }

    /** [sequences, outputs] of [sequences, rows, columns]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        long unseen = (x.size(1) - patch) % stride;
        Tensor last = x.narrow(1, unseen, x.size(1) - unseen);
        Tensor patches = last.unfold(1, patch, stride).contiguous().flattenFrom(2);
        Tensor seen = blocks.forward(patches, pass);
        Tensor mean = seen.sum(1).times(1.0 / seen.size(1));
        return head.forward(blocks.dropped(mean, pass), pass);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        int unseen = (rows - patch) % stride;
        Value cut = blocks.cut(x, patch, stride, row -> unseen + row, graph);
        Value turned = graph.permuted(cut, 0, 1, 3, 2);
        Value flat = graph.reshaped(turned, graph.wholes(0, 0, (long) patch * columns));
        Value mean =
                graph.node(
                        "ReduceMean",
                        List.of(blocks.graph(flat, graph)),
                        Attribute.list("axes", 1),
                        Attribute.of("keepdims", 0));
        return head.graph(mean, graph);
    }
}
