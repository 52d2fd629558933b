package dev.medley.control.coordinator;

import dev.medley.base.WorkerId;
import dev.medley.base.job.JoinSpec;
import dev.medley.plan.policy.FirstGroupPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps which workers are ready for the first group and since when, and asks {@link
 * FirstGroupPolicy} whether it forms without the others. Owned by the coordinator's agent.
 */
final class FirstGroup {
    private final int expected;
    private final Map<WorkerId, Long> tookNs = new HashMap<>();
    private long lastReadyNs;
    private boolean isOpen;

    FirstGroup(CoordinatorOptions options) {
        this.expected = options.cluster().workers();
        this.isOpen = options.begin() == JoinSpec.Begin.MOST;
    }

    /** A worker can take part. */
    void ready(WorkerId worker, long tookNs, long nowNs) {
        this.tookNs.put(worker, tookNs);
        lastReadyNs = nowNs;
    }

    /** A worker is gone. */
    void lost(WorkerId worker) {
        tookNs.remove(worker);
    }

    /** A group has formed: later ones take whoever is there. */
    void formed() {
        isOpen = false;
    }

    /** Why it forms with those that are ready, said once; null as long as it does not. */
    @Nullable String begins(long nowNs) {
        if (!isOpen || tookNs.isEmpty()) {
            return null;
        }
        FirstGroupPolicy.Decision decision =
                FirstGroupPolicy.decide(
                        expected, List.copyOf(tookNs.values()), nowNs - lastReadyNs);
        isOpen = !decision.begins();
        return decision.begins() ? decision.why() : null;
    }

    /** How many are ready. */
    int size() {
        return tookNs.size();
    }
}
