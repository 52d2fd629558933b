package dev.medley.tensor.attention;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.KeyValueCache;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Pass;
import java.util.List;

/**
 * Computes multi-head attention of a sequence to itself (Vaswani et al. 2017), over [samples,
 * positions, width]: to its past alone, or to all of it. Query, key and value come from one linear
 * layer.
 */
final class SelfAttention implements Layer {
    private final Layer qkv;
    private final Layer out;
    private final int heads;
    private final boolean isCausal;

    SelfAttention(BlockForm form) {
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
        long width = x.size(2);
        Tensor[] parts = qkv.forward(x, pass).chunk(3, -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].view(samples, positions, heads, width / heads).transpose(1, 2);
        }
        Tensor seen = attend(parts[0], parts[1], parts[2], pass);
        return out.forward(seen.transpose(1, 2).reshape(samples, positions, width), pass);
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
