package dev.medley.control.failure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Tells which workers were lost in the same moment. Those have one cause, as where a machine slept
 * or a switch went down, and together they cost one restart. A worker that was started since is
 * lost in a moment of its own. Owned by the coordinator's agent.
 */
public final class LossMoments {
    private static final long LENGTH_NS = TimeUnit.SECONDS.toNanos(1);

    private final Map<Integer, Integer> moments = new HashMap<>(); // By launch.
    private final Set<Integer> paid = new HashSet<>(); // LossMoments.
    private final Set<Integer> forgiven = new HashSet<>(); // Launches.
    private int moment;
    private int newestBefore;
    private long beganNs;

    /**
     * The worker of this launch is lost now.
     *
     * @param newest launch so far
     */
    public void lost(int launch, int newest, long nowNs) {
        if (launch > newestBefore || nowNs - beganNs > LENGTH_NS) {
            moment++;
            beganNs = nowNs;
            newestBefore = newest;
        }
        moments.put(launch, moment);
    }

    /** The cause is dealt with: starting another one in its place costs nothing. */
    public void forgive(int launch) {
        forgiven.add(launch);
    }

    /** Whether another worker may be started in the place of this one without a restart more. */
    public boolean isPaid(int launch) {
        Integer of = moments.get(launch);
        return forgiven.contains(launch) || (of != null && paid.contains(of));
    }

    /** Another worker is started in its place. */
    public void paid(int launch) {
        Integer of = moments.get(launch);
        if (of != null && !forgiven.contains(launch)) {
            paid.add(of);
        }
    }
}
