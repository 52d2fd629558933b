package dev.medley.hub.service;

import java.util.List;
import java.util.Map;

/**
 * Counts what a hub has done since it began, for those who watch it.
 *
 * @param queueWaitS seconds from a job's arrival to its first start
 * @param decisionS seconds that the policy took for a decision
 * @param changes how often jobs were started, grown, shrunk, moved, paused, restarted, by these
 *     words: a few fixed ones, since each is a series of its own
 */
public record FleetCounters(
        Distribution queueWaitS, Distribution decisionS, Map<String, Long> changes) {
    /** Nothing done yet. */
    public static final FleetCounters NONE =
            new FleetCounters(
                    Distribution.upTo(List.of(1.0, 10.0, 60.0, 600.0, 3600.0, 21600.0, 86400.0)),
                    Distribution.upTo(List.of(0.001, 0.005, 0.02, 0.05, 0.2, 1.0, 5.0)),
                    Map.of());

    public FleetCounters {
        changes = Map.copyOf(changes);
    }
}
