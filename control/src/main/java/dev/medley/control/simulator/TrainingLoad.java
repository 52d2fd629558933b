package dev.medley.control.simulator;

import static dev.medley.base.ConfigException.check;

import java.util.List;

/**
 * What a model asks of a cluster.
 *
 * @param name for people
 * @param buckets in the order in which they leave
 * @param statisticBytes running statistics, summed once a step after the buckets; 0 for none
 * @param parameters numbers that the model consists of
 */
public record TrainingLoad(
        String name, List<Bucket> buckets, long statisticBytes, long parameters) {
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
        check(!buckets.isEmpty(), "%s: a model without parameters has nothing to sum", name);
    }

    /** Bytes of all buckets. */
    public long gradientBytes() {
        return buckets.stream().mapToLong(Bucket::bytes).sum();
    }
}
