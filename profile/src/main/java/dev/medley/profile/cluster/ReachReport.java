package dev.medley.profile.cluster;

import java.util.Map;
import java.util.TreeMap;

/**
 * Whom one worker reached at the address that it advertises.
 *
 * @param from id of the worker that dialled
 * @param why for each other worker by id: empty if it answered, else one sentence
 */
public record ReachReport(int from, Map<Integer, String> why) {
    public ReachReport {
        why = new TreeMap<>(why);
    }
}
