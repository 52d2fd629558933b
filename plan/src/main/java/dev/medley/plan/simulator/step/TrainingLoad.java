package dev.medley.plan.simulator.step;

import static dev.medley.base.ConfigException.check;

import java.util.Collections;
import java.util.List;

/**
 * The load of a model on a cluster: what it sums in a step, and how that is cut.
 *
 * @param name for people
 * @param buckets in the order in which they leave
 * @param statisticBytes running statistics, summed once a step after the buckets; 0 for none
 * @param parameters numbers that the model consists of
 * @param fragments bytes of the buckets of each fragment, in the order in which those travel; empty
 *     where it is not known how the model is cut into them
 */
public record TrainingLoad(
        String name,
        List<Bucket> buckets,
        long statisticBytes,
        long parameters,
        List<List<Long>> fragments) {
    /**
     * A bucket of the gradient.
     *
     * @param bytes that are summed
     * @param readyPart of backward after which it leaves, from 0 to 1
     */
    public record Bucket(long bytes, double readyPart) {
        public Bucket {
            check(bytes > 0, "a bucket of %d bytes: above 0", bytes);
            check(readyPart >= 0 && readyPart <= 1, "ready after %s: from 0 to 1", readyPart);
        }
    }

    public TrainingLoad {
        buckets = List.copyOf(buckets);
        fragments = fragments.stream().map(List::copyOf).toList();
        check(!buckets.isEmpty(), "%s: a model without parameters has nothing to sum", name);
    }

    /** The same of a model whose fragments are not known. */
    public TrainingLoad(String name, List<Bucket> buckets, long statisticBytes, long parameters) {
        this(name, buckets, statisticBytes, parameters, List.of());
    }

    /** So many fragments: the model's own, or else equal ones. */
    List<List<Long>> inFragments(int count) {
        return fragments.size() == count
                ? fragments
                : Collections.nCopies(count, List.of(Math.max(1, gradientBytes() / count)));
    }

    /** Bytes of all buckets. */
    public long gradientBytes() {
        return buckets.stream().mapToLong(Bucket::bytes).sum();
    }
}
