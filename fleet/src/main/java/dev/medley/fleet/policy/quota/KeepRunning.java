package dev.medley.fleet.policy.quota;

import dev.medley.base.text.Units;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a policy so that a job that was just given machines keeps them for a while: ten times what
 * its restart costs, so that restarts take a tenth of the time at most, and 30 s at least. It may
 * grow and shrink meanwhile, and move wholly where that saves more than two restarts. It is not
 * stopped but for a job of a higher priority, or for one so short that all ends earlier on the
 * mean: {@code left of it + 2 restarts < left of the one that runs}. For the rest of the jobs and
 * machines the policy is asked again.
 *
 * @param heldS since when jobs hold what they hold, in seconds before the view; those that are not
 *     there do so for long
 */
public record KeepRunning(Function<Map<String, Integer>, Policy> policy, Map<Long, Double> heldS)
        implements Policy {
    private static final double LEAST_S = 30;
    private static final double RESTARTS = 10;

    public KeepRunning {
        heldS = Map.copyOf(heldS);
    }

    /**
     * Seconds for which a job keeps what it was given; who held it for longer need not be known.
     */
    public static double keepsS(double restartS) {
        return Math.max(LEAST_S, RESTARTS * restartS);
    }

    @Override
    public String name() {
        return policy.apply(Map.of()).name();
    }

    @Override
    public boolean ordersByPriority() {
        return policy.apply(Map.of()).ordersByPriority();
    }

    @Override
    public Decision decide(FleetView view) {
        List<Grant> kept = new ArrayList<>();
        Map<String, Integer> keptByGroup = new TreeMap<>();
        FleetView rest = view;
        Decision decision = policy.apply(keptByGroup).decide(rest);
        // What the policy remembers is of all jobs, not of those that are left.
        Carried ofAll = decision.carried();
        while (true) {
            List<Grant> keeps = toKeep(rest, decision);
            if (keeps.isEmpty()) {
                kept.addAll(decision.grants());
                return new Decision(
                        kept, decision.waiting(), decision.note(), ofAll.granted(view, kept));
            }
            kept.addAll(keeps);
            rest = without(rest, keeps, keptByGroup);
            decision = policy.apply(keptByGroup).decide(rest);
        }
    }

    /** Jobs that are to be stopped or moved too soon, with what they hold. */
    private List<Grant> toKeep(FleetView view, Decision decision) {
        int[] free = view.types().stream().mapToInt(MachineType::machines).toArray();
        Map<Long, Grant> granted = new HashMap<>();
        List<Grant> keeps = new ArrayList<>();
        for (JobView job : view.jobs()) {
            double sinceS = heldS.getOrDefault(job.id(), Double.POSITIVE_INFINITY);
            double leftS = keepsS(job.progress().restartS()) - sinceS;
            if (leftS > 0 && job.runs() && canHold(free, job)) {
                if (granted.isEmpty()) {
                    decision.grants().forEach(grant -> granted.put(grant.job(), grant));
                }
                if (!goesOn(job, granted.get(job.id())) && !givesWay(view, job, granted)) {
                    for (int type = 0; type < free.length; type++) {
                        free[type] -= job.held()[type];
                    }
                    String why =
                            "it was just given these machines, and keeps them for %s more"
                                    .formatted(Units.duration(leftS * 1e9));
                    keeps.add(new Grant(job.id(), job.held().clone(), why));
                }
            }
        }
        return keeps;
    }

    /** Whether what it holds is there, and within its bounds. */
    private static boolean canHold(int[] free, JobView job) {
        int workers = FleetPart.sum(job.held());
        boolean can = job.demand().minWorkers() <= workers && workers <= job.demand().maxWorkers();
        for (int type = 0; type < job.held().length; type++) {
            can &= job.held()[type] <= free[type];
        }
        return can;
    }

    /**
     * Whether it is granted a machine of a type that it holds, since growing costs it little, or
     * others that save it more than two restarts.
     */
    private static boolean goesOn(JobView job, @Nullable Grant grant) {
        if (grant == null) {
            return false;
        }
        double work = job.progress().remainingWork();
        double savedS = work / job.speed(job.held(), 0) - work / job.speed(grant.machines(), 0);
        return overlap(job, grant) || savedS > 2 * job.progress().restartS();
    }

    /** Whether what starts on its machines is of a higher priority, or much shorter. */
    private static boolean givesWay(FleetView view, JobView job, Map<Long, Grant> granted) {
        for (JobView other : view.jobs()) {
            Grant grant = other.runs() ? null : granted.get(other.id());
            if (grant != null && overlap(job, grant)) {
                boolean isHigher = other.terms().priority() > job.terms().priority();
                if (isHigher || isMuchShorter(other, job)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean overlap(JobView job, Grant grant) {
        for (int type = 0; type < job.held().length; type++) {
            if (job.held()[type] > 0 && grant.machines()[type] > 0) {
                return true;
            }
        }
        return false;
    }

    /** False where a size is not known. */
    private static boolean isMuchShorter(JobView starting, JobView running) {
        double shorterS = starting.progress().remainingWork() / starting.bestRate();
        double longerS = running.progress().remainingWork() / running.speed(running.held(), 0);
        return shorterS + 2 * running.progress().restartS() < longerS;
    }

    /** The rest of a view; what is kept of groups is counted. */
    private static FleetView without(
            FleetView view, List<Grant> keeps, Map<String, Integer> keptByGroup) {
        int[] machines = view.types().stream().mapToInt(MachineType::machines).toArray();
        Map<Long, Integer> sums = new HashMap<>();
        for (Grant grant : keeps) {
            sums.put(grant.job(), FleetPart.sum(grant.machines()));
            for (int type = 0; type < machines.length; type++) {
                machines[type] -= grant.machines()[type];
            }
        }
        List<MachineType> types = new ArrayList<>();
        for (int type = 0; type < machines.length; type++) {
            MachineType whole = view.types().get(type);
            types.add(new MachineType(whole.name(), machines[type], whole.pricePerHour()));
        }
        List<JobView> jobs = new ArrayList<>();
        for (JobView job : view.jobs()) {
            Integer kept = sums.get(job.id());
            if (kept == null) {
                jobs.add(job);
            } else {
                keptByGroup.merge(job.terms().group(), kept, Integer::sum);
            }
        }
        return new FleetView(view.nowS(), view.roundS(), types, jobs, view.ended(), view.carried());
    }
}
