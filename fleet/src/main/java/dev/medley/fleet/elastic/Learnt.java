package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.JobAgent.Shape;
import dev.medley.fleet.elastic.trace.NoiseAt;
import dev.medley.fleet.elastic.trace.StepCost;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds what one job or all jobs of a model have measured: step times and noise by epoch.
 *
 * <p>Thread: the cluster's.
 */
final class Learnt {
    private final Map<Shape, StepCost> measured = new HashMap<>();
    private final TreeMap<Integer, NoiseAt> noise = new TreeMap<>();
    private @Nullable SpeedFit fit;
    private int mostWorkers;

    void add(Shape shape, StepCost cost, int epoch, NoiseAt seen) {
        if (measured.putIfAbsent(shape, cost) == null) {
            fit = null;
        }
        mostWorkers = Math.max(mostWorkers, shape.workers());
        noise.put(epoch, seen);
    }

    /** The most workers that were tried; 0 before. */
    int mostWorkers() {
        return mostWorkers;
    }

    boolean isEmpty() {
        return measured.isEmpty();
    }

    SpeedFit fit() {
        SpeedFit found = fit == null ? new SpeedFit(measured) : fit;
        fit = found;
        return found;
    }

    /** What was seen in an epoch, or the last one before it, or the first of all. */
    NoiseAt noise(int epoch) {
        Map.Entry<Integer, NoiseAt> before = noise.floorEntry(epoch);
        return before != null ? before.getValue() : noise.firstEntry().getValue();
    }
}
