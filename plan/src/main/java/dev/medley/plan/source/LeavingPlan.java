package dev.medley.plan.source;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Absence;
import dev.medley.plan.policy.Lateness;
import dev.medley.plan.policy.MachineKind;
import dev.medley.plan.policy.SlowLink;
import dev.medley.profile.cluster.LinkReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plans groups without stragglers, around another source. A worker that is late again and again
 * sits out, and its samples go to the others; so does a worker whose link became slow ({@link
 * SlowLinks}). Meanwhile it tries by itself now and then how fast it is, and is asked back when it
 * is well; see {@link Absence}.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class LeavingPlan extends PlanAround {
    private final double bound;
    private final Stragglers stragglers;
    private final SlowLinks links;
    private final Speeds usual = new Speeds();
    private final Map<WorkerId, Integer> shares = new HashMap<>();
    private final Map<WorkerId, Integer> counts = new HashMap<>();
    private final Map<WorkerId, Absence> absences = new TreeMap<>();
    private final List<String> remarks = new ArrayList<>();
    private List<WorkerId> ranks = List.of();

    /**
     * Everybody takes part as long as nobody is late and no link is slow.
     *
     * @param bound times the usual at which a step is late, or a link slow
     */
    public LeavingPlan(PlanSource source, double bound) {
        super(source);
        this.bound = bound;
        this.stragglers = new Stragglers(bound);
        this.links = new SlowLinks(bound);
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        ranks = group.members().stream().map(Member::worker).toList();
        absences.keySet().removeAll(ranks); // Where nobody else holds the state, one stays.
        links.formed(group.epoch(), ranks);
        return source.plan(group, version, committedStep);
    }

    /** A worker that is gone neither tries, comes back nor is told to sit out. */
    @Override
    public void leaves(WorkerId worker) {
        ranks = ranks.stream().filter(member -> !member.equals(worker)).toList();
        absences.remove(worker);
        counts.remove(worker);
        shares.remove(worker);
        stragglers.forget(worker);
        super.leaves(worker);
    }

    /** What was usual of it is not any more; one that sits out is asked by what it took before. */
    @Override
    public @Nullable String resized(WorkerId worker, MachineKind machine, double faster) {
        stragglers.forget(worker);
        usual.resized(worker, faster);
        return super.resized(worker, machine, faster);
    }

    @Override
    public void surveyed(LinkReport report) {
        String said = links.surveyed(report);
        if (said != null) {
            remarks.add(said);
        }
        super.surveyed(report);
    }

    @Override
    public boolean probesAnew() {
        return links.probesAnew() || super.probesAnew();
    }

    @Override
    public @Nullable String wish(long step) {
        String why = links.wish();
        return why == null ? super.wish(step) : why;
    }

    /** Workers that left or come back, and what a survey of the paths led to. */
    @Override
    public @Nullable String remark() {
        if (remarks.isEmpty()) {
            return super.remark();
        }
        String said = String.join("; ", remarks);
        remarks.clear();
        return said;
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        byWorker.forEach((worker, of) -> shares.put(worker, of.share()));
        stragglers.stepped(byWorker, usual);
        links.stepped(step, byWorker);
        Map<WorkerId, Measured> inTime = new HashMap<>(byWorker);
        inTime.keySet().removeIf(worker -> stragglers.of(worker).isLate());
        usual.stepped(inTime); // To be late does not become usual.
        source.stepped(step, byWorker);
    }

    /** One machine at a time, and never the last: what the others are then is seen first. */
    @Override
    public Map<WorkerId, String> sitsOut(long step) {
        Map<WorkerId, String> slow = slowInComputing(step);
        return slow.isEmpty() ? slowInExchange(step) : slow;
    }

    private Map<WorkerId, String> slowInComputing(long step) {
        for (WorkerId worker : ranks) {
            Lateness late = stragglers.of(worker);
            boolean isLeaving = absences.containsKey(worker);
            if (ranks.size() > 1 && late.isStraggler() && !isLeaving) {
                return Map.of(worker, sitOut(worker, step, 1, late.why(worker.toString())));
            }
        }
        return Map.of();
    }

    /** Computing says nothing of a link: such a worker is away for long from the first time on. */
    private Map<WorkerId, String> slowInExchange(long step) {
        Map<WorkerId, String> out = new TreeMap<>();
        SlowLink slow = links.leaving();
        if (slow != null) {
            for (WorkerId worker : slow.workers()) {
                if (ranks.contains(worker) && ranks.size() > slow.workers().size()) {
                    out.put(worker, sitOut(worker, step, 2, slow.why()));
                }
            }
        }
        return out;
    }

    /**
     * A worker leaves.
     *
     * @param first number of the absence if it is the worker's first
     * @return why and for how long
     */
    private String sitOut(WorkerId worker, long step, int first, String why) {
        stragglers.forget(worker);
        int share = Math.max(1, shares.getOrDefault(worker, 1));
        double usualNs = Math.max(1, usual.fit(worker).line().predictNs(share));
        int count = counts.merge(worker, first, (before, unused) -> before + 1);
        Absence absence = Absence.begin(count, step, share, usualNs);
        absences.put(worker, absence);
        String said = "%s: it sits out %s".formatted(why, absence.howLong());
        remarks.add(said);
        return said;
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
        remarks.addAll(back.values());
        return back;
    }
}
