package dev.medley.tensor.attention;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.KeyValueCache;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Pass;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes multi-head attention of a sequence to itself (Vaswani et al. 2017), over [samples,
 * positions, width]: to its past alone, or to all of it. Query, key and value come from one linear
 * layer.
 */
final class SelfAttention implements Layer {
    private final Layer qkv;
    private final Layer out;
    private final int width;
    private final int heads;
    private final boolean isCausal;

    SelfAttention(BlockForm form) {
        width = form.width();
        heads = form.heads();
        isCausal = form.isCausal();
        qkv = form.linear("qkv", form.width(), 3L * form.width());
        out = form.linear("out", form.width(), form.width());
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("qkv", qkv);
        declaration.layer("out", out);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        long samples = x.size(0);
        long positions = x.size(1);
        Tensor[] parts = qkv.forward(x, pass).chunk(3, -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].view(samples, positions, heads, width / heads).transpose(1, 2);
        }
        Tensor seen = attend(parts[0], parts[1], parts[2], pass);
        return out.forward(seen.transpose(1, 2).reshape(samples, positions, width), pass);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        List<Value> parts = new ArrayList<>();
        for (Value part :
                graph.nodes("Split", 3, List.of(qkv.graph(x, graph)), Attribute.of("axis", -1))) {
            Value ofHeads = graph.reshaped(part, graph.wholes(0, 0, heads, width / heads));
            parts.add(graph.permuted(ofHeads, 0, 2, 1, 3));
        }
        Value turned = graph.permuted(parts.get(1), 0, 1, 3, 2);
        Value scale = graph.number(1 / Math.sqrt((double) width / heads));
        Value scores = graph.node("Mul", graph.node("MatMul", parts.get(0), turned), scale);
        Value visible = graph.seen();
        Value masked =
                visible != null
                        ? graph.node("Add", scores, visible)
                        : isCausal ? graph.node("Add", scores, future(x, graph)) : scores;
        Value shares = graph.node("Softmax", List.of(masked), Attribute.of("axis", -1));
        Value seen = graph.permuted(graph.node("MatMul", shares, parts.get(2)), 0, 2, 1, 3);
        return out.graph(graph.reshaped(seen, graph.wholes(0, 0, width)), graph);
    }

    /** Minus infinity where a position would see one that comes after it, else 0. */
    private static Value future(Value x, Graph graph) {
        Value length = graph.length(x, 1);
        HostArray infinite = HostArray.allocate(ElementType.FLOAT32, 1);
        infinite.data().buffer().putFloat(Float.NEGATIVE_INFINITY);
        Value all =
                graph.node(
                        "ConstantOfShape",
                        List.of(graph.joined(List.of(length, length), 0)),
                        new Attribute.Array("value", infinite));
        return graph.node("Trilu", List.of(all, graph.index(1)), Attribute.of("upper", 1));
    }

    private Tensor attend(Tensor query, Tensor key, Tensor value, Pass pass) {
        Tensor visible = pass.seen();
        if (visible != null) {
            return Functional.maskedAttention(query, key, value, visible);
        }
        KeyValueCache cache = pass.cache();
        if (!isCausal) {
            return Functional.attention(query, key, value);
        } else if (cache == null) {
            return Functional.causalAttention(query, key, value);
        }
        List<Tensor> all = cache.extended(this, key, value);
        return cache.length() == 0
                ? Functional.causalAttention(query, all.get(0), all.get(1))
                : Functional.attention(query, all.get(0), all.get(1)); // The last one sees all.
    }
}
