package dev.medley.fleet.elastic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts counts of workers onto nodes: who keeps its count stays where it is, whole nodes go to those
 * who want them, and small jobs share nodes. Who stands in the way of a larger one moves, the one
 * with the fewest neighbours first. What fits no other way is spread.
 */
final class NodePacking {
    private final SharesPolicy.View view;
    private final Map<ElasticJob, Integer> counts;

    NodePacking(SharesPolicy.View view, Map<ElasticJob, Integer> counts) {
        this.view = view;
        this.counts = counts;
    }

    /** The node of each worker, by the job's index. */
    Map<Integer, int[]> place() {
        Set<ElasticJob> kept = new LinkedHashSet<>();
        counts.forEach(
                (job, count) -> {
                    if (count > 0 && job.workers() == count) {
                        kept.add(job);
                    }
                });
        while (true) {
            Map<Integer, int[]> shares = new LinkedHashMap<>();
            kept.forEach(job -> shares.put(job.index(), job.nodeOfWorker()));
            List<ElasticJob> spread = pack(shares);
            ElasticJob next = inTheWay(kept);
            if (spread.isEmpty() || next == null) {
                FreeGpus free = new FreeGpus(view, shares);
                spread.forEach(job -> shares.put(job.index(), free.take(count(job))));
                return shares;
            }
            kept.remove(next);
        }
    }

    /** Packs all that have no share yet, the largest first; those for whom it found no place. */
    private List<ElasticJob> pack(Map<Integer, int[]> shares) {
        List<ElasticJob> left = new ArrayList<>();
        List<ElasticJob> others = new ArrayList<>(counts.keySet());
        others.removeIf(job -> count(job) == 0 || shares.containsKey(job.index()));
        others.sort(
                Comparator.<ElasticJob>comparingInt(job -> -count(job))
                        .thenComparingInt(ElasticJob::index));
        FreeGpus free = new FreeGpus(view, shares);
        for (ElasticJob job : others) {
            int[] nodes = free.pack(count(job), view.gpusPerNode());
            if (nodes.length == 0) {
                left.add(job);
            } else {
                shares.put(job.index(), nodes);
            }
        }
        return left;
    }

    private @Nullable ElasticJob inTheWay(Set<ElasticJob> kept) {
        return kept.stream()
                .filter(job -> job.workers() < view.gpusPerNode())
                .min(
                        Comparator.<ElasticJob>comparingInt(job -> neighbours(job, kept))
                                .thenComparingInt(ElasticJob::workers)
                                .thenComparingInt(ElasticJob::index))
                .orElse(null);
    }

    /** Workers of the kept on the node where it is. */
    private static int neighbours(ElasticJob job, Set<ElasticJob> kept) {
        int node = job.nodeOfWorker()[0];
        int neighbours = 0;
        for (ElasticJob other : kept) {
            for (int held : other.nodeOfWorker()) {
                neighbours += held == node ? 1 : 0;
            }
        }
        return neighbours;
    }

    private int count(ElasticJob job) {
        return counts.getOrDefault(job, 0);
    }
}
