package dev.medley.serving.traffic;

import dev.medley.base.Seeds;
import dev.medley.serving.registry.TrafficPlan;
import java.util.Map;

/**
 * Chooses the version that answers a request, by a hash of its key. Each version draws a number for
 * the key and the largest wins, weighted by shares (rendezvous hashing; the weights by {@code -w /
 * ln u} are of Schindelhauer and Schomaker, Weighted Distributed Hash Tables, SPAA 2005). So a
 * version wins exactly its share of keys, and where shares change, keys move from those that shrink
 * to those that grow, and no others.
 */
public final class VersionChoice {
    private static final long FNV_BASIS = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    private VersionChoice() {}

    /** The version that answers requests of a key. */
    public static int of(TrafficPlan plan, String key) {
        long hash = hash(key);
        int best = plan.champion();
        double most = -1;
        for (Map.Entry<Integer, Double> each : plan.shares().entrySet()) {
            double score = each.getValue() / -Math.log(drawn(plan.salt(), each.getKey(), hash));
            if (score > most) {
                most = score;
                best = each.getKey();
            }
        }
        return best;
    }

    /** Between 0 and 1, both left out. */
    private static double drawn(long salt, int version, long hash) {
        return ((Seeds.of(salt, version, hash) >>> 12) + 0.5) * 0x1p-52;
    }

    private static long hash(String key) {
        long hash = FNV_BASIS;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * FNV_PRIME;
        }
        return hash;
    }
}
