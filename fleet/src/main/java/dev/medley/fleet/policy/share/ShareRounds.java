package dev.medley.fleet.policy.share;

import dev.medley.base.Seeds;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.share.ShareRule.Shares;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Runs in each round who has had the least of his share so far. Priorities are share over fraction
 * of time received; shares are computed anew when jobs came or went, at most so often as is said,
 * and what was owed is then kept as a deficit (Gavel, section 5).
 */
final class ShareRounds implements Policy {
    private final ShareRule rule;
    private final double resetS;

    /**
     * @param resetS seconds between two computations of shares at least
     */
    ShareRounds(ShareRule rule, double resetS) {
        this.rule = rule;
        this.resetS = resetS;
    }

    @Override
    public String name() {
        return rule.name();
    }

    @Override
    public Decision decide(FleetView view) {
        RoundMemory memory = RoundMemory.of(view);
        boolean isDue = view.nowS() - memory.resetS() >= resetS || memory.resetS() == 0;
        if (memory.changed() && isDue) {
            memory = memory.reset(view, rule.shares(view, memory.shares()));
        }
        Map<Long, Grant> grants = new HashMap<>();
        Set<Long> given = new HashSet<>();
        for (int type : order(view)) {
            fill(view, memory, type, grants, given);
        }
        Map<Long, String> waiting = new HashMap<>();
        for (JobView job : view.jobs()) {
            if (!grants.containsKey(job.id())) {
                waiting.put(job.id(), waits(job, memory.shares()));
            }
        }
        List<Grant> list = new ArrayList<>(grants.values());
        return new Decision(list, waiting, "", memory.granted(view, list));
    }

    private String waits(JobView job, Shares shares) {
        double[] own = shares.byJob().get(job.id());
        if (own == null) {
            return "it came after shares were last computed, and waits until they are again";
        }
        double sum = 0;
        for (double share : own) {
            sum += share;
        }
        return "its share is %.0f %% of the time; others have had less of theirs"
                .formatted(100 * sum);
    }

    private int[] order(FleetView view) {
        int[] order = new int[view.types().size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        if (!rule.isAware()) {
            RandomGenerator random = Seeds.generator(5, Double.doubleToLongBits(view.nowS()));
            for (int i = order.length - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                int swap = order[i];
                order[i] = order[j];
                order[j] = swap;
            }
        }
        return order;
    }

    private void fill(
            FleetView view,
            RoundMemory memory,
            int type,
            Map<Long, Grant> grants,
            Set<Long> given) {
        List<Candidate> queue = new ArrayList<>(view.jobs().size());
        for (JobView job : view.jobs()) {
            if (!given.contains(job.id())) {
                queue.add(memory.candidate(job, type));
            }
        }
        queue.sort(Candidate.FIRST);
        int left = view.types().get(type).machines();
        for (Candidate candidate : queue) {
            JobView job = candidate.job();
            int workers = job.demand().minWorkers();
            boolean isRefused = rule.isStrict() && candidate.priority() <= 0;
            if (workers <= left && job.rates()[type] > 0 && !isRefused) {
                left -= workers;
                given.add(job.id());
                if (!memory.isKnown(job)) {
                    // As with Gavel: it waits for its shares beside the machine that it could have.
                    continue;
                }
                int[] machines = new int[view.types().size()];
                machines[type] = workers;
                grants.put(job.id(), new Grant(job.id(), machines, why(view, candidate, type)));
            }
        }
    }

    private static String why(FleetView view, Candidate candidate, int type) {
        return "its share of %s is %.0f %%, and it had the least of it"
                .formatted(view.types().get(type).name(), 100 * candidate.share());
    }

    /** Holds where a job stands in the queue for a type. */
    record Candidate(JobView job, double priority, double deficit, double share) {
        static final Comparator<Candidate> FIRST =
                Comparator.comparingDouble(Candidate::priority)
                        .thenComparingDouble(Candidate::deficit)
                        .thenComparingDouble(Candidate::share)
                        .reversed();
    }
}
