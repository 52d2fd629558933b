package dev.medley.fleet.policy.elastic;

import java.util.Arrays;
import java.util.List;

/** Deals machines to jobs by what they are worth to each, and swaps types between jobs. */
final class MachineDeal {
    private static final double ROUNDING = 1e-12;

    private final List<MachineShare> shares;
    private final int[] free;
    private final double[][] gains;

    /**
     * No less than the greatest gain of each job that is still to be had. Machines only become
     * fewer, so what did not fit once never fits again while its job has the same.
     */
    private final double[] bounds;

    private MachineDeal(List<MachineShare> shares, int[] free) {
        this.shares = shares;
        this.free = free;
        gains = new double[shares.size()][free.length];
        bounds = new double[shares.size()];
        for (int i = 0; i < bounds.length; i++) {
            look(i);
        }
    }

    private void look(int i) {
        Arrays.setAll(gains[i], shares.get(i)::gain);
        bounds[i] = Double.POSITIVE_INFINITY;
    }

    /** One step at a time, the one of the greatest gain for each machine. */
    static void deal(List<MachineShare> shares, int[] free) {
        MachineDeal deal = new MachineDeal(shares, free);
        while (deal.step()) {
            // The next one.
        }
    }

    private boolean step() {
        int best = -1;
        int with = -1;
        double most = ROUNDING;
        for (int i = 0; i < bounds.length; i++) {
            if (bounds[i] > most) {
                int type = bestThatFits(i);
                bounds[i] = type < 0 ? Double.NEGATIVE_INFINITY : gains[i][type];
                if (bounds[i] > most) {
                    best = i;
                    with = type;
                    most = bounds[i];
                }
            }
        }
        if (best < 0) {
            return false;
        }
        MachineShare share = shares.get(best);
        int[] next = share.next(with);
        free[with] -= next[with] - share.machines()[with];
        share.give(next);
        look(best);
        return true;
    }

    /** The first type of the greatest gain of a job; -1 where none fits. */
    private int bestThatFits(int i) {
        int best = -1;
        for (int type = 0; type < free.length; type++) {
            double most = best < 0 ? Double.NEGATIVE_INFINITY : gains[i][best];
            if (gains[i][type] > most && shares.get(i).fits(type, free)) {
                best = type;
            }
        }
        return best;
    }

    /** Swaps a machine of one type for one of another between two jobs while that is worth it. */
    static void exchange(List<MachineShare> shares, int types) {
        List<MachineShare> holding = shares.stream().filter(share -> share.count() > 0).toList();
        for (int pass = 0; pass < shares.size(); pass++) {
            boolean swapped = false;
            for (int from = 0; from < types; from++) {
                for (int to = from + 1; to < types; to++) {
                    swapped |= exchangeBest(holding, from, to);
                }
            }
            if (!swapped) {
                return;
            }
        }
    }

    private static boolean exchangeBest(List<MachineShare> shares, int from, int to) {
        MachineShare there = null;
        MachineShare back = null;
        double mostThere = Double.NEGATIVE_INFINITY;
        double mostBack = Double.NEGATIVE_INFINITY;
        for (MachineShare share : shares) {
            double gainThere = share.gainOfSwap(from, to);
            if (there == null || gainThere > mostThere) {
                there = share;
                mostThere = gainThere;
            }
            double gainBack = share.gainOfSwap(to, from);
            if (back == null || gainBack > mostBack) {
                back = share;
                mostBack = gainBack;
            }
        }
        double gain = mostThere + mostBack;
        if (there == null || back == null || there.equals(back) || gain <= ROUNDING) {
            return false;
        }
        there.swap(from, to);
        back.swap(to, from);
        return true;
    }
}
