package dev.medley.fleet.policy.elastic;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gives each job as many machines, of any types, as make the sum of all jobs' ends least: prices by
 * {@link SmartFill} as if each job had the best machines, then each machine to whom its price times
 * the speed it adds is greatest, then swaps between types while the sum rises. A job begins with
 * its minimum of one type; a machine more has to save more than a restart, and so has a move.
 * Higher priorities choose before lower ones.
 */
public final class ElasticPolicy implements Policy {
    private final ElasticOptions options;

    /**
     * @param options what it assumes
     */
    public ElasticPolicy(ElasticOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "elastic";
    }

    @Override
    public boolean ordersByPriority() {
        return true;
    }

    @Override
    public Decision decide(FleetView view) {
        int[] free = view.types().stream().mapToInt(MachineType::machines).toArray();
        TreeMap<Integer, List<MachineShare>> byPriority = new TreeMap<>();
        for (JobView job : view.jobs()) {
            byPriority
                    .computeIfAbsent(-job.terms().priority(), p -> new ArrayList<>())
                    .add(new MachineShare(job, options));
        }
        List<Grant> grants = new ArrayList<>();
        Map<Long, String> waiting = new HashMap<>();
        for (List<MachineShare> shares : byPriority.values()) {
            price(view, shares);
            MachineDeal.deal(shares, free);
            MachineDeal.exchange(shares, free.length);
            stay(shares, free);
        }
        ElasticReasons reasons = new ElasticReasons(view, free);
        for (List<MachineShare> shares : byPriority.values()) {
            for (MachineShare share : shares) {
                if (share.count() > 0) {
                    grants.add(new Grant(share.job().id(), share.machines(), reasons.runs(share)));
                } else {
                    waiting.put(share.job().id(), reasons.waits(share));
                }
            }
        }
        return new Decision(grants, waiting);
    }

    /** Those with least left end first. */
    private static void price(FleetView view, List<MachineShare> shares) {
        List<MachineShare> inOrder = new ArrayList<>(shares);
        inOrder.removeIf(share -> share.job().bestRate() <= 0);
        inOrder.sort(
                Comparator.comparingDouble((MachineShare share) -> -share.aloneS())
                        .thenComparingLong(share -> -share.job().id()));
        int all = view.machines();
        double[] prices =
                SmartFill.prices(
                        inOrder.stream().map(share -> share.speeds(view, all)).toList(), all);
        for (int i = 0; i < prices.length; i++) {
            inOrder.get(i).price(prices[i]);
        }
    }

    /** Who would move for less than its restart costs stays, where its machines are still free. */
    private static void stay(List<MachineShare> shares, int[] free) {
        boolean again = true;
        while (again) {
            again = false;
            for (MachineShare share : shares) {
                if (share.movesForNothing() && share.couldStay(free)) {
                    int[] held = share.job().held();
                    for (int type = 0; type < free.length; type++) {
                        free[type] -= held[type] - share.machines()[type];
                    }
                    share.give(held.clone());
                    again = true;
                }
            }
        }
    }
}
