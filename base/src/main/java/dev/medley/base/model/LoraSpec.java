package dev.medley.base.model;

import static dev.medley.base.ConfigException.check;

import java.util.List;
import java.util.Set;

/**
 * Describes low-rank adapters of linear layers: y = W x + alpha / rank B A x, of which A and B
 * alone are learnt (Hu et al. 2022).
 *
 * @param rank rows of A
 * @param alpha scale of what adapters add, times the rank
 * @param targets layers of each block that have one: {@code qkv}, {@code out}, {@code up}, {@code
 *     down}
 */
public record LoraSpec(int rank, double alpha, List<String> targets) {
    private static final Set<String> LAYERS = Set.of("qkv", "out", "up", "down");

    public LoraSpec {
        targets = List.copyOf(targets);
        check(rank >= 1, "model.lora.rank=%d: at least 1", rank);
        check(alpha > 0, "model.lora.alpha=%s: above 0", alpha);
        check(!targets.isEmpty(), "model.lora.targets=%s: at least one layer", targets);
        check(
                LAYERS.containsAll(targets) && Set.copyOf(targets).size() == targets.size(),
                "model.lora.targets=%s: some of qkv, out, up and down, each once",
                targets);
    }

    /** Rank 8 on queries, keys and values. */
    public static LoraSpec defaults() {
        return new LoraSpec(8, 16, List.of("qkv"));
    }

    /** By what B A is multiplied. */
    public double scale() {
        return alpha / rank;
    }
}
