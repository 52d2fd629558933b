package dev.medley.tensor.forecast;

import dev.medley.base.job.ModelSpec;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Forecasts a sequence from patches of it, which see each other in a transformer: the encoder of
 * PatchTST (Nie et al. 2023), with the pre-norm blocks of layer normalisation that all transformers
 * here have.
 *
 * <p>The last value is repeated {@code patchStride} times, and patches begin every {@code
 * patchStride} values: {@code (rows - patch) / patchStride + 2} of them. A linear layer makes the
 * forecast of all outputs together.
 */
public final class PatchEncoder implements Layer {
    private final int rows;
    private final int patch;
    private final int stride;
    private final PatchBlocks blocks;
    private final Linear head;

    /** From {@code rows} values to {@code horizon}; a patch is no longer than the rows. */
    public PatchEncoder(ModelSpec.Transformer spec, int rows, int horizon) {
        this.rows = rows;
        patch = spec.patch();
        stride = spec.patchStride();
        int patches = (rows - patch) / stride + 2;
        blocks = new PatchBlocks(spec, patches, patch);
        head = new Linear((long) patches * spec.width(), horizon);
    }

    @Override
    public void declare(Declaration declaration) {
        blocks.declare(declaration);
        declaration.layer("head", head);
    }

    /** [sequences, horizon] of [sequences, rows]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        List<Tensor> parts = new ArrayList<>(List.of(x));
        parts.addAll(Collections.nCopies(stride, x.narrow(1, x.size(1) - 1, 1)));
        Tensor patches = Tensor.concatenate(parts, 1).unfold(1, patch, stride).contiguous();
        Tensor seen = blocks.forward(patches, pass).flattenFrom(1);
        return head.forward(blocks.dropped(seen, pass), pass);
    }

    /** The last value is repeated. */
    @Override
    public Value graph(Value x, Graph graph) {
        Value cut = blocks.cut(x, patch, stride, row -> Math.min(row, rows - 1), graph);
        return head.graph(graph.flattened(blocks.graph(cut, graph), 1), graph);
    }
}
