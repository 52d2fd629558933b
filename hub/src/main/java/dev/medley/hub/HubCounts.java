package dev.medley.hub;

import dev.medley.base.time.Clock;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.hub.service.Distribution;
import dev.medley.hub.service.FleetCounters;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts what a hub does since it began. Belongs to the hub's thread. */
final class HubCounts {
    private final Map<String, Long> changes = new TreeMap<>();
    private final Map<Long, FleetJob> before = new HashMap<>();
    private Distribution queueWaitS = FleetCounters.NONE.queueWaitS();
    private Distribution decisionS = FleetCounters.NONE.decisionS();

    FleetCounters counters() {
        return new FleetCounters(queueWaitS, decisionS, changes);
    }

    /** The same policy, whose decisions are timed. */
    Policy timed(Policy policy, Clock clock) {
        return new Policy() {
            @Override
            public String name() {
                return policy.name();
            }

            @Override
            public boolean ordersByPriority() {
                return policy.ordersByPriority();
            }

            @Override
            public Decision decide(FleetView view) {
                long beganNs = clock.nowNs();
                Decision decision = policy.decide(view);
                decisionS = decisionS.with((clock.nowNs() - beganNs) / 1e9);
                return decision;
            }
        };
    }

    /** Takes the fleet as it was found; nothing of it is counted. */
    void found(FleetState state) {
        state.jobs().forEach(job -> before.put(job.id(), job));
    }

    /** Counts what has changed since the last look. */
    void look(FleetState state) {
        for (FleetJob job : state.jobs()) {
            FleetJob old = before.put(job.id(), job);
            if (job.equals(old)) {
                continue;
            }
            boolean isFirst = old == null || Double.isNaN(old.times().startedS());
            if (isFirst && !Double.isNaN(job.times().startedS())) {
                queueWaitS = queueWaitS.with(job.times().startedS() - job.times().submittedS());
            }
            String word = word(state, old == null ? List.of() : old.machines(), job, isFirst);
            if (!word.isEmpty()) {
                changes.merge(word, 1L, Long::sum);
            }
        }
    }

    private static String word(FleetState state, List<String> had, FleetJob job, boolean isFirst) {
        List<String> has = job.machines();
        if (has.equals(had)) {
            return "";
        }
        if (had.isEmpty()) {
            return isFirst ? "started" : "restarted";
        }
        boolean isLost =
                !job.phase().isOver()
                        && had.stream()
                                .filter(name -> !has.contains(name))
                                .map(state::machine)
                                .anyMatch(machine -> machine == null || machine.isLost());
        if (isLost) {
            return "lost";
        }
        if (has.isEmpty()) {
            return job.phase().isOver()
                    ? "ended"
                    : job.phase() == JobPhase.PAUSED ? "paused" : "preempted";
        }
        Set<String> kept = new HashSet<>(had);
        kept.retainAll(has);
        if (kept.size() == had.size()) {
            return "grown";
        }
        return kept.size() == has.size() ? "shrunk" : "moved";
    }
}
