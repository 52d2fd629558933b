package dev.medley.profile.cluster;

import java.util.Map;
import java.util.TreeMap;

/**
 * The workers that one worker reached at the addresses that they advertise.
 *
 * @param from id of the worker that dialled
 * @param why for each other worker by id: empty if it answered, else one sentence
 * @param through for each other worker that is reached through a third: the id of that one
 */
public record ReachReport(int from, Map<Integer, String> why, Map<Integer, Integer> through) {
    public ReachReport {
        why = new TreeMap<>(why);
        through = new TreeMap<>(through);
    }
}
