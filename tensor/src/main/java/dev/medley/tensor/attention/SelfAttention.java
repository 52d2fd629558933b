package dev.medley.tensor.attention;

import dev.medley.base.ConfigException;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.KeyValueCache;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import java.util.List;

/**
 * Computes multi-head attention of a sequence to itself (Vaswani et al. 2017), over [samples,
 * positions, width]: to its past alone, or to all of it. Query, key and value come from one linear
 * layer.
 */
public final class SelfAttention implements Layer {
    private final Linear qkv;
    private final Linear out;
    private final int heads;
    private final boolean seesAll;

    /** A position sees itself and what came before; {@code heads} divides {@code width}. */
    public static SelfAttention causal(int width, int heads) {
        return new SelfAttention(width, heads, false);
    }

    /** Every position sees all; {@code heads} divides {@code width}. */
    public static SelfAttention full(int width, int heads) {
        return new SelfAttention(width, heads, true);
    }

    private SelfAttention(int width, int heads, boolean seesAll) {
        ConfigException.check(
                heads >= 1 && width % heads == 0,
                "width=%d, heads=%d: the heads share the width evenly",
                width,
                heads);
        this.heads = heads;
        this.seesAll = seesAll;
        qkv = new Linear(width, 3L * width);
        out = new Linear(width, width);
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
        KeyValueCache cache = pass.cache();
        if (seesAll) {
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
