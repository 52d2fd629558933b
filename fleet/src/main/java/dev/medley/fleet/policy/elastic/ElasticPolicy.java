package dev.medley.fleet.policy.elastic;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.Arrays;
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
    private static final double ROUNDING = 1e-12;

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
            deal(shares, free);
            exchange(shares, free.length);
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
                SmartFill.prices(inOrder.stream().map(share -> share.speeds(view, all)).toList());
        for (int i = 0; i < prices.length; i++) {
            inOrder.get(i).price(prices[i]);
        }
    }

    /** One step at a time, the one of the greatest gain for each machine. */
    private static void deal(List<MachineShare> shares, int[] free) {
        double[][] gains = new double[shares.size()][free.length];
        for (int i = 0; i < gains.length; i++) {
            Arrays.setAll(gains[i], shares.get(i)::gain);
        }
        while (true) {
            int best = -1;
            int with = -1;
            double most = ROUNDING;
            for (int i = 0; i < gains.length; i++) {
                for (int type = 0; type < free.length; type++) {
                    if (gains[i][type] > most && shares.get(i).fits(type, free)) {
                        best = i;
                        with = type;
                        most = gains[i][type];
                    }
                }
            }
            if (best < 0) {
                return;
            }
            MachineShare share = shares.get(best);
            int[] next = share.next(with);
            free[with] -= next[with] - share.machines()[with];
            share.give(next);
            Arrays.setAll(gains[best], share::gain);
        }
    }

    /** Swaps a machine of one type for one of another between two jobs while that is worth it. */
    private static void exchange(List<MachineShare> shares, int types) {
        for (int pass = 0; pass < shares.size(); pass++) {
            boolean swapped = false;
            for (int from = 0; from < types; from++) {
                for (int to = from + 1; to < types; to++) {
                    swapped |= exchangeBest(shares, from, to);
                }
            }
            if (!swapped) {
                return;
            }
        }
    }

    private static boolean exchangeBest(List<MachineShare> shares, int from, int to) {
        MachineShare there = shares.get(0);
        MachineShare back = shares.get(0);
        for (MachineShare share : shares) {
            there = share.gainOfSwap(from, to) > there.gainOfSwap(from, to) ? share : there;
            back = share.gainOfSwap(to, from) > back.gainOfSwap(to, from) ? share : back;
        }
        double gain = there.gainOfSwap(from, to) + back.gainOfSwap(to, from);
        if (there.equals(back) || gain <= ROUNDING) {
            return false;
        }
        there.swap(from, to);
        back.swap(to, from);
        return true;
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
