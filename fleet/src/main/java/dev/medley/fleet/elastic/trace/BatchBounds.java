package dev.medley.fleet.elastic.trace;

import dev.medley.base.ConfigException;

/**
 * Holds the batches that a model may be trained with, in samples.
 *
 * @param initial of a step, for which its learning rate was tuned
 * @param max of a step
 * @param minLocal of one worker
 * @param maxLocal of one worker, which its memory bounds
 */
public record BatchBounds(int initial, int max, int minLocal, int maxLocal) {
    public BatchBounds {
        ConfigException.check(
                1 <= initial && initial <= max && 1 <= minLocal && minLocal <= maxLocal,
                "batches of %d to %d samples, %d to %d a worker; give 1 <= least <= most",
                initial,
                max,
                minLocal,
                maxLocal);
    }

    /** How many workers the largest batch can be given to at most. */
    public int maxWorkers() {
        return max / minLocal;
    }
}
