package dev.medley.training.server;

import java.util.List;

/**
 * Cuts the flat parameters among servers: one stretch each, in order of rank, with borders between
 * two elements.
 */
final class ParameterCut {
    private final long[] borders;

    private ParameterCut(long[] borders) {
        this.borders = borders;
    }

    /**
     * Shards in proportion to weights.
     *
     * @param weights by rank, what each server's link or memory can bear; none below 0, one above.
     *     A server of weight 0 holds nothing
     */
    static ParameterCut of(long elements, List<Double> weights) {
        double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
        long[] borders = new long[weights.size() + 1];
        double before = 0;
        for (int rank = 0; rank < weights.size(); rank++) {
            before += weights.get(rank);
            borders[rank + 1] = Math.round(elements * (before / sum));
        }
        borders[weights.size()] = elements;
        return new ParameterCut(borders);
    }

    /** The first element of a server's. */
    long from(int rank) {
        return borders[rank];
    }

    /** The element after its last. */
    long to(int rank) {
        return borders[rank + 1];
    }

    /** Elements of a server. */
    long count(int rank) {
        return to(rank) - from(rank);
    }
}
