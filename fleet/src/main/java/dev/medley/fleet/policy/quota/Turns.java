package dev.medley.fleet.policy.quota;

import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds whose turn it is within one decision, and counts what groups hold. */
final class Turns {
    /** Jobs of one account, in the order in which they go. */
    private record Queue(Account account, ArrayDeque<JobView> jobs) {}

    private final ShareOptions options;
    private final FleetView view;
    private final Map<String, Double> groupS = new HashMap<>();
    private final Map<Account, Double> accountS = new HashMap<>();
    private final Map<String, Integer> held = new HashMap<>();
    private final Map<Long, JobView> jobs = new HashMap<>();

    Turns(ShareOptions options, Usage usage, FleetView view) {
        this.options = options;
        this.view = view;
        // In a fixed order, so that sums are the same bits.
        Comparator<Account> byName =
                Comparator.comparing(Account::group).thenComparing(Account::user);
        Map<Account, Double> sorted = new TreeMap<>(byName);
        sorted.putAll(usage.machineS());
        sorted.forEach(this::use);
        view.jobs().forEach(job -> jobs.put(job.id(), job));
    }

    /**
     * The jobs that fit by turns of their accounts; in an account those first that {@code proposal}
     * runs. Demands are cut to what quotas leave.
     */
    List<JobView> admitted(
            int[] free, List<JobView> asking, Decision proposal, Map<Long, String> waiting) {
        List<Queue> queues = queues(asking, proposal);
        Map<Long, Grant> proposed = new HashMap<>();
        proposal.grants().forEach(grant -> proposed.put(grant.job(), grant));
        int[] left = free.clone();
        Map<String, Integer> quota = new HashMap<>();
        List<JobView> admitted = new ArrayList<>();
        while (!queues.isEmpty()) {
            Queue queue = Collections.min(queues, order());
            Account account = queue.account();
            JobView job = queue.jobs().remove();
            if (queue.jobs().isEmpty()) {
                queues.remove(queue);
            }
            int allowed = quota.computeIfAbsent(account.group(), this::left);
            int least = job.demand().minWorkers();
            int type = place(left, job, proposed.get(job.id()));
            if (allowed < least) {
                waiting.put(job.id(), overQuota(account.group()));
            } else if (type < 0) {
                waiting.put(job.id(), waits(account));
            } else {
                left[type] -= least;
                quota.put(account.group(), allowed - least);
                use(account, least * view.roundS() / job.terms().weight());
                admitted.add(job);
            }
        }
        return capped(admitted, quota);
    }

    /** Whether {@code proposal} runs just these jobs, within all quotas. */
    boolean keeps(Decision proposal, List<JobView> admitted) {
        Map<Long, JobView> cut = new HashMap<>();
        admitted.forEach(job -> cut.put(job.id(), job));
        return proposal.grants().size() == admitted.size()
                && proposal.grants().stream()
                        .allMatch(
                                grant -> {
                                    JobView job = cut.get(grant.job());
                                    return job != null
                                            && FleetPart.sum(grant.machines())
                                                    <= job.demand().maxWorkers();
                                });
    }

    /** Counts what groups hold already to their quotas. */
    void hold(Map<String, Integer> machinesByGroup) {
        machinesByGroup.forEach((group, machines) -> held.merge(group, machines, Integer::sum));
    }

    /** Counts a grant to its group's quota. */
    void hold(Grant grant) {
        JobView job = jobs.get(grant.job());
        if (job != null) {
            held.merge(job.terms().group(), FleetPart.sum(grant.machines()), Integer::sum);
        }
    }

    private void use(Account account, double machineS) {
        groupS.merge(account.group(), machineS, Double::sum);
        accountS.merge(account, machineS, Double::sum);
    }

    private int left(String group) {
        return options.of(group).quotaMachines() - held.getOrDefault(group, 0);
    }

    private static List<Queue> queues(List<JobView> asking, Decision proposal) {
        List<Long> first = proposal.grants().stream().map(Grant::job).toList();
        List<JobView> sorted = new ArrayList<>(asking);
        Map<Long, Integer> order = new HashMap<>();
        first.forEach(id -> order.put(id, order.size()));
        sorted.sort(
                Comparator.comparingInt(
                                (JobView job) -> order.getOrDefault(job.id(), Integer.MAX_VALUE))
                        .thenComparingLong(JobView::id));
        Map<Account, ArrayDeque<JobView>> queues = new HashMap<>();
        for (JobView job : sorted) {
            queues.computeIfAbsent(Account.of(job.terms()), a -> new ArrayDeque<>()).add(job);
        }
        List<Queue> all = new ArrayList<>();
        queues.forEach((account, waiting) -> all.add(new Queue(account, waiting)));
        return all;
    }

    /** Who used least by weight first; names decide between equals. */
    private Comparator<Queue> order() {
        return Comparator.comparingDouble((Queue queue) -> share(queue.account().group()))
                .thenComparing(queue -> queue.account().group())
                .thenComparingDouble(queue -> accountS.getOrDefault(queue.account(), 0.0))
                .thenComparing(queue -> queue.account().user());
    }

    private double share(String group) {
        return groupS.getOrDefault(group, 0.0) / options.of(group).weight();
    }

    /** A type with room for the job's least demand: the proposed one, or the fastest; else -1. */
    private static int place(int[] left, JobView job, @Nullable Grant proposed) {
        int best = -1;
        double most = 0;
        for (int type = 0; type < left.length; type++) {
            boolean fits = job.rates()[type] > 0 && left[type] >= job.demand().minWorkers();
            if (fits && proposed != null && proposed.machines()[type] > 0) {
                return type;
            }
            if (fits && job.rates()[type] > most) {
                most = job.rates()[type];
                best = type;
            }
        }
        return best;
    }

    /** What a quota leaves beyond least demands goes to jobs by turn. */
    private static List<JobView> capped(List<JobView> jobs, Map<String, Integer> quota) {
        List<JobView> capped = new ArrayList<>();
        for (JobView job : jobs) {
            Demand demand = job.demand();
            int left = quota.getOrDefault(job.terms().group(), Integer.MAX_VALUE);
            int more = Math.min(left, demand.maxWorkers() - demand.minWorkers());
            quota.put(job.terms().group(), left - more);
            capped.add(
                    new JobView(
                            job.id(),
                            job.kind(),
                            new Demand(demand.minWorkers(), demand.minWorkers() + more),
                            job.rates(),
                            job.held(),
                            job.progress(),
                            job.terms()));
        }
        return capped;
    }

    private String overQuota(String group) {
        return String.format(
                Locale.ROOT,
                "It waits: group %s may hold %d machines, and this job would make it more.",
                group.isEmpty() ? "without a name" : group,
                options.of(group).quotaMachines());
    }

    private String waits(Account account) {
        return String.format(
                Locale.ROOT,
                "It waits: machines went to who used less; %s stands at %.1f machine-hours by"
                        + " weight.",
                account,
                share(account.group()) / 3600);
    }
}
