package dev.medley.tensor.model;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Autograd;
import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layer.KeyValueCache;
import dev.medley.tensor.layer.Pass;
import java.util.Arrays;
import java.util.List;

/**
 * Scores the next token of a sequence that grows. A window that is the last one and one token more
 * costs that token alone; any other is computed anew.
 *
 * <p>Belongs to one thread; the replica must not learn meanwhile.
 */
public final class Decoding implements AutoCloseable {
    private final Network network;
    private final KeyValueCache cache;
    private long[] held = {};

    Decoding(Network network, int context) {
        this.network = network;
        cache = new KeyValueCache(context);
    }

    /** Logits of the token after {@code window}, which is at most the context long. */
    public float[] next(long[] window) {
        int known = held.length;
        boolean goesOn =
                known > 0
                        && window.length == known + 1
                        && Arrays.equals(window, 0, known, held, 0, known);
        if (!goesOn) {
            cache.clear();
            known = 0;
        }
        HostArray tokens = HostArray.allocate(ElementType.INT64, 1, window.length - known);
        tokens.data().buffer().asLongBuffer().put(window, known, window.length - known);
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            Tensor logits =
                    network.forward(List.of(Tensor.aliasOf(tokens)), Pass.goingOn(cache))
                            .select(1, -1);
            cache.advance(window.length - known);
            held = window.clone();
            float[] scores = new float[(int) logits.size(-1)];
            logits.toHostArray(ElementType.FLOAT32).data().buffer().asFloatBuffer().get(scores);
            return scores;
        } catch (RuntimeException e) {
            throw Torch.translate(e);
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
