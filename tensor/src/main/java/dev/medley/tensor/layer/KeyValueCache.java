package dev.medley.tensor.layer;

import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.Tensor;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds keys and values of the positions that a causal network has seen, so that one more token
 * costs one position (Pope et al. 2022, section 2). A pass with a cache takes one sequence: all of
 * it at first, then one token at a time.
 *
 * <p>Memory: two arrays of [heads, positions, width of a head] for each attention. Belongs to one
 * thread.
 */
public final class KeyValueCache implements AutoCloseable {
    private final long most;
    private final Map<Layer, List<Tensor>> byAttention = new IdentityHashMap<>();
    private long length;

    /** Empty, with room for {@code most} positions. */
    public KeyValueCache(long most) {
        this.most = most;
    }

    /** Positions seen before this pass. */
    public long length() {
        return length;
    }

    /** The pass is over: {@code positions} more were seen. */
    public void advance(long positions) {
        length += positions;
    }

    /** Forgets all positions; the memory stays. */
    public void clear() {
        length = 0;
    }

    /**
     * Keys and values of all positions so far, this pass's included.
     *
     * @param attention whose they are
     * @param key of this pass, [1, heads, positions, width]
     * @param value of the same shape
     */
    public List<Tensor> extended(Layer attention, Tensor key, Tensor value) {
        long added = key.size(2);
        if (key.size(0) != 1 || length + added > most || (length > 0 && added > 1)) {
            throw new IllegalStateException(
                    "a cache of %d positions with %d in it cannot take %d of %d sequences"
                            .formatted(most, length, added, key.size(0)));
        }
        List<Tensor> held =
                byAttention.computeIfAbsent(attention, any -> List.of(room(key), room(value)));
        held.get(0).narrow(2, length, added).set(key);
        held.get(1).narrow(2, length, added).set(value);
        return held.stream().map(all -> all.narrow(2, 0, length + added)).toList();
    }

    private Tensor room(Tensor like) {
        return Tensor.zeros(like.type(), 1, like.size(1), most, like.size(3)).keep();
    }

    /** Frees the memory. */
    @Override
    public void close() {
        try (MemoryScope scope = MemoryScope.open()) {
            byAttention.values().forEach(held -> held.forEach(Tensor::release));
        }
        byAttention.clear();
    }
}
