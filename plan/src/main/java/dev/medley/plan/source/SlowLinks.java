package dev.medley.plan.source;

import dev.medley.base.WorkerId;
import dev.medley.plan.policy.PathRates;
import dev.medley.plan.policy.SlowLink;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.cluster.LinkReport;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the worker whose link became slow. The measurements of a step do not name it: on a ring all
 * wait for the slow path alike, and what fits into the kernel's buffers leaves a sender at once. So
 * when the exchange is slow ({@link ExchangeWatch}) the group forms anew and probes its paths, and
 * {@link SlowLink} compares the result with earlier ones. That costs a pause of a second or so;
 * where it names nobody the next one comes {@value #LEAST_STEPS} steps later at the earliest, then
 * twice as many each time.
 *
 * <p>Paths are probed too where a worker comes back that was left out for its link, so that nobody
 * has to wait for it in many steps to see that it is as slow as before.
 *
 * <p>Thread: the coordinator's agent.
 */
final class SlowLinks {
    /** Of two machines with a slow way between them nobody knows whose link it is. */
    private static final int FEWEST_MACHINES = 3;

    private static final long LEAST_STEPS = 50;
    private static final int MOST_DOUBLINGS = 10;

    private final double bound;
    private final ExchangeWatch watch;
    private final PathRates usual;
    private final Set<WorkerId> known = new HashSet<>();
    private final Set<WorkerId> away = new HashSet<>();
    private Set<WorkerId> present = Set.of();
    private boolean isComparable;
    private Look look = Look.NONE;

    /** The exchange for which ways were probed last. */
    private SlowLink.Late late = SlowLink.Late.NONE;

    private int epoch;
    private int fruitless;
    private long restUntil;
    private @Nullable String wish;
    private @Nullable SlowLink slow;

    /** How far a look at the ways has come. */
    private enum Look {
        NONE,
        /** The next group probes. */
        WISHED,
        /** The present group probed, or is about to. */
        UNDER_WAY
    }

    /**
     * Nothing is known.
     *
     * @param bound times the usual at which something is slow
     */
    SlowLinks(double bound) {
        this.bound = bound;
        this.watch = new ExchangeWatch(bound);
        this.usual = new PathRates(bound);
    }

    /** A group forms. */
    void formed(int ofEpoch, List<WorkerId> ranks) {
        epoch = ofEpoch;
        isComparable &= present.equals(Set.copyOf(ranks)); // Others have not looked yet.
        present = Set.copyOf(ranks);
        watch.forgetLate(); // It was another group that was slow.
        if (known.addAll(ranks)) {
            watch.forgetUsual();
        }
        boolean isOneBack = away.removeAll(ranks);
        if (look != Look.NONE || isOneBack) {
            look = Look.UNDER_WAY;
        }
    }

    /** Whether the present group is to probe its ways. */
    boolean probesAnew() {
        return look == Look.UNDER_WAY;
    }

    /**
     * The present group knows its ways.
     *
     * @return what a look led to that named nobody; null for nothing
     */
    @Nullable String surveyed(LinkReport report) {
        Set<WorkerId> there = new HashSet<>();
        report.workers().forEach(on -> on.forEach(id -> there.add(new WorkerId(id))));
        isComparable = report.workers().size() >= FEWEST_MACHINES && there.equals(present);
        boolean isLook = look == Look.UNDER_WAY && report.epoch() == epoch;
        String said = isLook ? judge(report) : null;
        usual.learn(report);
        return said;
    }

    private @Nullable String judge(LinkReport report) {
        String said = null;
        SlowLink found = SlowLink.judge(usual, report, bound, late);
        if (!found.workers().isEmpty()) {
            slow = found;
            fruitless = 0;
        } else if (wish != null) {
            said = wish + "; " + found.why() + ": all go on";
        }
        look = Look.NONE;
        wish = null;
        return said;
    }

    /** A step was taken. */
    void stepped(long step, Map<WorkerId, Measured> measured) {
        if (look == Look.UNDER_WAY) {
            look = Look.NONE; // Whoever forms a group says what it found before it takes a step.
            wish = null;
        }
        boolean isToChange = slow != null || !Collections.disjoint(away, present);
        if (isToChange || !isComparable || !measured.keySet().equals(present)) {
            return;
        }
        watch.stepped(measured.values());
        if (watch.isSlow() && look == Look.NONE && step >= restUntil) {
            look = Look.WISHED;
            wish = watch.why();
            late = watch.late();
            restUntil = step + (LEAST_STEPS << Math.min(fruitless, MOST_DOUBLINGS));
            fruitless++;
        }
    }

    /** Why the ways should be probed; null if they need not. */
    @Nullable String wish() {
        return look == Look.WISHED ? wish + ": the ways between machines are probed anew" : null;
    }

    /** The slow link with its workers, returned once; null if it is nobody's. */
    @Nullable SlowLink leaving() {
        SlowLink leaving = slow;
        slow = null;
        if (leaving != null) {
            away.addAll(leaving.workers());
        }
        return leaving;
    }
}
