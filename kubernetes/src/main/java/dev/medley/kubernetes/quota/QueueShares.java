package dev.medley.kubernetes.quota;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.quota.FairShare;
import dev.medley.fleet.policy.quota.ShareOptions;
import dev.medley.fleet.policy.quota.Usage;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import dev.medley.kubernetes.quota.WorkerCounts.Count;
import dev.medley.kubernetes.resource.Flavor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks a policy of the fleet how many workers each job of a queue is to have, within the quota that
 * Kueue gives. Flavors are the policy's machine types; of each there are as many machines as jobs
 * hold and as are idle. A job that has quota never gets less than its least, and one that waits
 * asks for its least: whether it is let in is Kueue's to say.
 */
public final class QueueShares {
    /** Until a job's speed was measured, any two are taken to be alike. */
    private static final double UNKNOWN_RATE = 1;

    private final Policy policy;

    /** By that policy. */
    public QueueShares(Policy policy) {
        this.policy = policy;
    }

    /**
     * The workers of each job, by its key.
     *
     * @param room what is idle, and what others ask for that are no jobs of Medley
     * @param nowS seconds of the epoch
     */
    public Map<String, WorkerCounts> decide(List<QueuedJob> jobs, QueueRoom room, double nowS) {
        List<QueuedJob> ordered =
                jobs.stream()
                        .filter(job -> canBeLetIn(job, room))
                        .sorted(
                                Comparator.comparingDouble(QueuedJob::arrivalS)
                                        .thenComparing(QueuedJob::key))
                        .toList();
        List<String> types =
                ordered.stream()
                        .flatMap(job -> job.spec().flavors().stream())
                        .map(Flavor::name)
                        .distinct()
                        .sorted()
                        .toList();
        long priorities = jobs.stream().map(job -> job.spec().priority()).distinct().count();
        // What is idle goes by priority, too, whatever order the policy has by itself.
        Policy asked =
                priorities <= 1 ? policy : new FairShare(policy, ShareOptions.EQUAL, Usage.NONE);
        Decision decision = asked.decide(view(ordered, types, room, nowS));
        Map<Long, Grant> grants = new HashMap<>();
        decision.grants().forEach(grant -> grants.put(grant.job(), grant));
        Map<String, WorkerCounts> counts = new TreeMap<>();
        QueueRoom left = room;
        // Those that give back come first: what they leave is there for those that grow.
        for (boolean gives : new boolean[] {true, false}) {
            for (int i = 0; i < ordered.size(); i++) {
                QueuedJob job = ordered.get(i);
                Grant grant = grants.get((long) i);
                int granted = grant == null ? 0 : sum(grant.machines());
                if (granted < job.workers() == gives) {
                    left = put(counts, job, grant, types, left);
                }
            }
        }
        for (QueuedJob job : jobs) {
            if (!counts.containsKey(job.key())) {
                QueueRoom unchanged = put(counts, job, null, types, left);
            }
        }
        return counts;
    }

    /** Nobody makes room for a job whose least is more than the queue can ever have. */
    private static boolean canBeLetIn(QueuedJob job, QueueRoom room) {
        return job.workers() > 0
                || job.spec().flavors().stream()
                        .allMatch(flavor -> room.canHave(flavor, Math.max(1, flavor.min())));
    }

    private static QueueRoom put(
            Map<String, WorkerCounts> counts,
            QueuedJob job,
            @Nullable Grant grant,
            List<String> types,
            QueueRoom room) {
        Map<String, Count> byFlavor = new LinkedHashMap<>();
        QueueRoom left = room;
        for (Flavor flavor : job.spec().flavors()) {
            int least = Math.max(1, flavor.min());
            Integer now = job.reserved().get(flavor.name());
            if (now == null) {
                byFlavor.put(
                        flavor.name(),
                        new Count(
                                least,
                                "waits for quota of queue %s for its least"
                                        .formatted(job.spec().queue())));
                continue;
            }
            int granted = grant == null ? 0 : grant.machines()[types.indexOf(flavor.name())];
            int wanted = Math.max(least, Math.min(granted, flavor.max()));
            int count = wanted <= now ? wanted : now + Math.min(wanted - now, left.fits(flavor));
            left = left.without(flavor, Math.max(0, count - now));
            byFlavor.put(flavor.name(), new Count(count, why(flavor, now, count, grant)));
        }
        counts.put(job.key(), new WorkerCounts(byFlavor));
        return left;
    }

    private static String why(Flavor flavor, int now, int count, @Nullable Grant grant) {
        if (grant == null) {
            return count == Math.max(1, flavor.min())
                    ? "its least, since other jobs of the queue go first"
                    : "other jobs of the queue go first";
        }
        String change =
                count > now
                        ? (count - now) + " more, since quota is idle; "
                        : count < now ? (now - count) + " given back; " : "";
        return change + (count == flavor.max() ? "max is " + count + "; " : "") + grant.why();
    }

    private static FleetView view(
            List<QueuedJob> jobs, List<String> types, QueueRoom room, double nowS) {
        List<MachineType> machines = new ArrayList<>();
        for (String type : types) {
            int held = jobs.stream().mapToInt(job -> job.reserved().getOrDefault(type, 0)).sum();
            machines.add(MachineType.of(type, Math.max(0, held + spare(jobs, type, room))));
        }
        List<JobView> views = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            views.add(view(i, jobs.get(i), types, nowS));
        }
        return new FleetView(nowS, 60, machines, views);
    }

    /** Machines of a type that are idle; negative where others wait for more than is idle. */
    private static int spare(List<QueuedJob> jobs, String type, QueueRoom room) {
        int spare = 0;
        boolean isSeen = false;
        for (QueuedJob job : jobs) {
            for (Flavor flavor : job.spec().flavors()) {
                if (flavor.name().equals(type)) {
                    int of = room.spare(flavor);
                    spare = isSeen ? Math.min(spare, of) : of;
                    isSeen = true;
                }
            }
        }
        int most =
                jobs.stream()
                        .flatMap(job -> job.spec().flavors().stream())
                        .filter(flavor -> flavor.name().equals(type))
                        .mapToInt(Flavor::max)
                        .sum();
        return Math.min(spare, most);
    }

    private static JobView view(long id, QueuedJob job, List<String> types, double nowS) {
        int least = 0;
        int most = 0;
        double[] rates = new double[types.size()];
        int[] held = new int[types.size()];
        double each =
                job.workers() == 0 || Double.isNaN(job.samplesPerS())
                        ? UNKNOWN_RATE
                        : Math.max(1e-9, job.samplesPerS() / job.workers());
        for (Flavor flavor : job.spec().flavors()) {
            int type = types.indexOf(flavor.name());
            least += Math.max(1, flavor.min());
            most += flavor.max();
            held[type] = job.reserved().getOrDefault(flavor.name(), 0);
            rates[type] = each;
        }
        for (int type = 0; type < rates.length; type++) {
            rates[type] *= least; // With its least machines.
        }
        return new JobView(
                id,
                job.key(),
                new Demand(least, Math.max(least, most)),
                rates,
                held,
                new JobProgress(
                        job.arrivalS(),
                        job.workers() == 0 ? 0 : Math.max(0, nowS - job.arrivalS()),
                        job.samples(),
                        job.remainingSamples(),
                        0),
                new Terms(
                        "",
                        "",
                        job.spec().priority(),
                        1,
                        Double.POSITIVE_INFINITY,
                        Double.POSITIVE_INFINITY));
    }

    private static int sum(int[] machines) {
        int sum = 0;
        for (int count : machines) {
            sum += count;
        }
        return sum;
    }
}
