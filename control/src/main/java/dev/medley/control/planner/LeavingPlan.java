package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plans of another source, in groups without stragglers: a worker that is late again and again sits
 * out, and its samples go to the others. After {@value #AWAY_STEPS} steps it is asked back, since
 * its speed cannot be seen while it does nothing; if it is late again it sits out for twice as
 * long, and so on.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class LeavingPlan extends PlanAround {
    private static final long AWAY_STEPS = 50;
    private static final int MOST_DOUBLINGS = 10;

    /** A worker that sits out, or did. */
    private record Absence(long until, int count) {}

    private final Stragglers stragglers;
    private final Speeds usual = new Speeds();
    private final Map<WorkerId, Absence> absences = new HashMap<>();
    private List<WorkerId> ranks = List.of();

    /**
     * Everybody takes part as long as nobody is late.
     *
     * @param bound times the usual at which a step is late
     */
    public LeavingPlan(PlanSource source, double bound) {
        super(source);
        this.stragglers = new Stragglers(bound);
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        ranks = group.members().stream().map(Member::worker).toList();
        return source.plan(group, version, committedStep);
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        stragglers.stepped(byWorker, usual);
        Map<WorkerId, Measured> inTime = new HashMap<>(byWorker);
        inTime.keySet().removeIf(worker -> stragglers.of(worker).isLate());
        usual.stepped(inTime); // To be late does not become usual.
        source.stepped(step, byWorker);
    }

    /** One at a time, and never the last: what the others are then is seen first. */
    @Override
    public Map<WorkerId, String> sitsOut(long step) {
        for (WorkerId worker : ranks) {
            Lateness late = stragglers.of(worker);
            if (ranks.size() > 1 && late.isStraggler()) {
                int count = absences.getOrDefault(worker, new Absence(0, 0)).count();
                long away = AWAY_STEPS << Math.min(count, MOST_DOUBLINGS);
                absences.put(worker, new Absence(step + away, count + 1));
                stragglers.forget(worker);
                String why = "%s: it sits out for %d steps";
                return Map.of(worker, why.formatted(late.why(worker.toString()), away));
            }
        }
        return Map.of();
    }

    @Override
    public Map<WorkerId, String> comesBack(long step) {
        Map<WorkerId, String> back = new HashMap<>();
        absences.replaceAll(
                (worker, absence) -> {
                    if (absence.until() > step) {
                        return absence;
                    }
                    back.put(worker, worker + " sat out long enough: it is asked back");
                    return new Absence(Long.MAX_VALUE, absence.count());
                });
        return back;
    }
}
