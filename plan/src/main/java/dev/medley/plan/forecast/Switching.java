package dev.medley.plan.forecast;

import dev.medley.base.WorkerId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the judgements for another strategy in a run, and counts the switches. {@link SwitchPolicy}
 * judges each stretch of steps. A wish needs judgements in a row that favour another strategy,
 * since one stretch may be unlucky. While a worker sits out nothing is wished for, since the plans
 * that know of it would be dropped.
 */
final class Switching {
    private static final int AGREEING = 2;

    private final Map<String, Double> ran = new HashMap<>();
    private final Set<WorkerId> sittingOut = new HashSet<>();
    private SwitchPolicy.@Nullable Decision wished;
    private int agreed;
    private int switches;

    /** What a stretch of steps says; a wish may come of it. */
    SwitchPolicy.Decision judge(
            AutoChoice made, Forecaster forecaster, ForecastCheck.Seen steps, double samplesLeft) {
        SwitchPolicy.Course course = new SwitchPolicy.Course(ran, switches, samplesLeft);
        SwitchPolicy.Decision decision = SwitchPolicy.decide(made, forecaster, steps, course);
        agreed = decision.next() == null ? 0 : agreed + 1;
        if (agreed >= AGREEING && sittingOut.isEmpty()) {
            wished = decision;
            ran.put(made.chosen().name(), steps.samplesPerSecond());
        }
        return decision;
    }

    /** The wish that is not granted yet: the group may take some steps more. */
    SwitchPolicy.@Nullable Decision wished() {
        return wished;
    }

    /** A group forms: the wish, which is over now. */
    SwitchPolicy.@Nullable Decision atBorder() {
        SwitchPolicy.Decision decided = wished;
        wished = null;
        return decided;
    }

    /** Another strategy begins, by a wish. */
    void granted() {
        switches++;
    }

    /** A strategy begins: nothing was judged under it. */
    void began() {
        agreed = 0;
    }

    /** They do not take part: a wish that waits is dropped, too. */
    void sitOut(Collection<WorkerId> workers) {
        sittingOut.addAll(workers);
        wished = sittingOut.isEmpty() ? wished : null;
    }

    void comeBack(Collection<WorkerId> workers) {
        sittingOut.removeAll(workers);
    }
}
