package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Plans of another source, in groups without stragglers: a worker that is late again and again sits
 * out, and its samples go to the others. Meanwhile it tries by itself now and then how fast it is,
 * and is asked back when it is well; see {@link Absence}.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class LeavingPlan extends PlanAround {
    private final double bound;
    private final Stragglers stragglers;
    private final Speeds usual = new Speeds();
    private final Map<WorkerId, Integer> shares = new HashMap<>();
    private final Map<WorkerId, Integer> counts = new HashMap<>();
    private final Map<WorkerId, Absence> absences = new TreeMap<>();
    private List<WorkerId> ranks = List.of();

    /**
     * Everybody takes part as long as nobody is late.
     *
     * @param bound times the usual at which a step is late
     */
    public LeavingPlan(PlanSource source, double bound) {
        super(source);
        this.bound = bound;
        this.stragglers = new Stragglers(bound);
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        ranks = group.members().stream().map(Member::worker).toList();
        absences.keySet().removeAll(ranks); // Where nobody else holds the state, one stays.
        return source.plan(group, version, committedStep);
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        byWorker.forEach((worker, of) -> shares.put(worker, of.share()));
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
            boolean isLeaving = absences.containsKey(worker);
            if (ranks.size() > 1 && late.isStraggler() && !isLeaving) {
                stragglers.forget(worker);
                Absence absence = absence(worker, step);
                absences.put(worker, absence);
                String why = "%s: it sits out %s";
                return Map.of(
                        worker, why.formatted(late.why(worker.toString()), absence.howLong()));
            }
        }
        return Map.of();
    }

    private Absence absence(WorkerId worker, long step) {
        int share = Math.max(1, shares.getOrDefault(worker, 1));
        double usualNs = Math.max(1, usual.fit(worker).line().predictNs(share));
        return Absence.begin(counts.merge(worker, 1, Integer::sum), step, share, usualNs);
    }

    @Override
    public Map<WorkerId, Integer> tries(long step) {
        Map<WorkerId, Integer> due = new TreeMap<>();
        absences.replaceAll(
                (worker, absence) -> {
                    if (!absence.isDue(step)) {
                        return absence;
                    }
                    due.put(worker, absence.share());
                    return absence.asked(step);
                });
        return due;
    }

    @Override
    public void tried(WorkerId worker, Measured alone) {
        absences.computeIfPresent(
                worker, (same, absence) -> absence.tried((double) alone.computeNs(), bound));
    }

    @Override
    public Map<WorkerId, String> comesBack(long step) {
        Map<WorkerId, String> back = new TreeMap<>();
        absences.forEach(
                (worker, absence) -> {
                    if (absence.isOver(step)) {
                        back.put(worker, absence.why(worker.toString()));
                    }
                });
        absences.keySet().removeAll(back.keySet());
        return back;
    }
}
