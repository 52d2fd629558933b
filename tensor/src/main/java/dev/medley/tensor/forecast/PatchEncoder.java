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
    private static final double POSITION_BOUND = 0.02;

    private final int rows;
    private final int patch;
    private final int stride;
    private final Linear projection;
    private final Parameter positions;
    private final Dropout dropout;
    private final Sequential blocks;
    private final LayerNorm norm;
    private final Linear head;

    /** From {@code rows} values to {@code horizon}; a patch is no longer than the rows. */
    public PatchEncoder(ModelSpec.Transformer spec, int rows, int horizon) {
        this.rows = rows;
        patch = spec.patch();
        stride = spec.patchStride();
        int patches = (rows - patch) / stride + 2;
        int width = spec.width();
        projection = new Linear(patch, width);
        positions = Parameter.of(Initializer.uniform(POSITION_BOUND), patches, width);
        dropout = new Dropout(spec.dropout());
        BlockForm form = BlockForm.full(width, spec.heads(), spec.dropout());
        blocks = TransformerBlock.stack(spec.layers(), form);
        norm = new LayerNorm(width);
        head = new Linear((long) patches * width, horizon);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("patch", projection);
        declaration.parameter("pos", positions);
        declaration.layer("blocks", blocks);
        declaration.layer("norm", norm);
        declaration.layer("head", head);
    }

    /** [sequences, horizon] of [sequences, rows]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        List<Tensor> parts = new ArrayList<>(List.of(x));
        parts.addAll(Collections.nCopies(stride, x.narrow(1, x.size(1) - 1, 1)));
        Tensor patches = Tensor.concatenate(parts, 1).unfold(1, patch, stride).contiguous();
        Tensor stream =
                dropout.forward(projection.forward(patches, pass).plus(positions.value()), pass);
        Tensor seen = norm.forward(blocks.forward(stream, pass), pass).flattenFrom(1);
        return head.forward(dropout.forward(seen, pass), pass);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        int patches = Math.toIntExact(positions.shape()[0]);
        HostArray places = HostArray.allocate(ElementType.INT64, patches, patch);
        LongBuffer into = places.data().buffer().asLongBuffer();
        for (int p = 0; p < patches; p++) {
            for (int i = 0; i < patch; i++) {
                into.put(Math.min(p * stride + i, rows - 1)); // The last value is repeated.
            }
        }
        Value cut =
                graph.node("Gather", List.of(x, graph.constant(places)), Attribute.of("axis", 1));
        Value stream = graph.node("Add", projection.graph(cut, graph), graph.parameter(positions));
        Value seen = norm.graph(blocks.graph(stream, graph), graph);
        return head.graph(graph.flattened(seen, 1), graph);
    }
}
